// The bar for keystroke echo: a shell on a pseudo-terminal behind a bare WebSocket, in one process, with no record.
import { spawn } from '@lydell/node-pty'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: Number(process.argv[2]), perMessageDeflate: false })
server.on('listening', () => console.log('ready'))
server.on('connection', (socket) => {
  const pty = spawn('/bin/bash', ['--norc', '--noprofile'], { cols: 120, rows: 40, name: 'xterm-256color', encoding: null })
  pty.onData((bytes) => socket.send(bytes))
  pty.onExit(() => socket.close())
  socket.on('message', (bytes) => pty.write(bytes))
  socket.on('close', () => pty.kill())
})
