// A plain HTTP server on a port and on a Unix socket: a short answer, and 64 MiB at /large.
import { createServer } from 'node:http'

const [, , port, socket] = process.argv
const LARGE = 64 * 2 ** 20
const PIECE = Buffer.alloc(256 * 1024, 'x')
const SHORT = Buffer.from('{"status":"ok"}\n')

const listener = (request, response) => {
  if (request.url !== '/large') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': SHORT.byteLength })
    response.end(SHORT)
    return
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': LARGE })
  let left = LARGE
  const send = () => {
    while (left > 0) {
      left -= PIECE.byteLength
      if (!response.write(PIECE)) return
    }
    response.end()
  }
  response.on('drain', send)
  send()
}
const options = { keepAliveTimeout: 60_000 }
createServer(options, listener).listen(socket, () => {
  createServer(options, listener).listen(Number(port), '127.0.0.1', () => console.log('ready'))
})
