import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROXY_PORT } from '../../host/host-launch'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { createProcessDriver } from './process-driver'

let machine: ProcessMachine
let driver: Driver
beforeAll(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
})
afterAll(() => machine.clean(driver))

function get(stream: Duplex, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ createConnection: () => stream, path, headers: { host: 'x', connection: 'close' } }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => {
        text += part.toString()
      })
      answer.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end()
  })
}

it('leads to a server that a session started on a port of its own, and to no other port', async () => {
  const { spec, client } = await machine.terminal(driver)
  await machine.sh(client, 'echo from inside > page; /usr/bin/python3 -m http.server --bind 127.0.0.1 8123 >/dev/null 2>&1 &')
  const signal = AbortSignal.timeout(100_000)
  await expect
    .poll(() =>
      driver.connect(spec, 8123, signal).then(
        (s) => get(s, '/page'),
        () => null,
      ),
    )
    .toBe('from inside\n')
  for (const port of [8124, PROXY_PORT])
    await expect(driver.connect(spec, port, signal), String(port)).rejects.toThrow('nothing listens')
  client.close()
  await machine.remove(driver, spec)
})
