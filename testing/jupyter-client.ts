import { request } from 'node:http'
import WebSocket from 'ws'

/** A notebook's server behind its door; `token` where it asks for one. */
export type Server = { door: string; token?: string }

const HOST = 'w-x.localhost:7481'
const authorization = ({ token }: Server) => (token === undefined ? {} : { authorization: `token ${token}` })

/** Asks the server as a page of it would. */
export function ask(server: Server, path: string, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: HOST, cookie: '_xsrf=t', 'x-xsrftoken': 't', ...authorization(server) }
    const asked = request({ socketPath: server.door, path, method, headers }, (answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

type Message = {
  msg_type: string
  parent_header: { msg_id?: string }
  content: { text?: string; execution_state?: string }
}

/** Runs one cell in a new kernel and returns what it printed. */
export async function cell(server: Server, code: string): Promise<string> {
  const { id } = JSON.parse((await ask(server, '/api/kernels', 'POST')).body) as { id: string }
  const headers = { host: HOST, ...authorization(server) }
  const socket = new WebSocket(`ws+unix://${server.door}:/api/kernels/${id}/channels`, { headers })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const printed = new Promise<string>((resolve) => {
    let text = ''
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Message
      if (message.parent_header.msg_id !== 'm1') return
      if (message.msg_type === 'stream') text += message.content.text ?? ''
      if (message.msg_type === 'status' && message.content.execution_state === 'idle') resolve(text)
    })
  })
  const header = {
    msg_id: 'm1',
    msg_type: 'execute_request',
    username: 'u',
    session: 's',
    version: '5.3',
    date: new Date().toISOString(),
  }
  const content = { code, silent: false, store_history: false, user_expressions: {}, allow_stdin: false }
  socket.send(JSON.stringify({ header, parent_header: {}, metadata: {}, content, channel: 'shell', buffers: [] }))
  const text = await printed
  socket.close()
  return text.trim()
}
