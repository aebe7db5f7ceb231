import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench, Measure } from '../lib/bench'
import { megabytesPerSecond, requestsPerSecond, type Target } from '../lib/load'
import { freePort, startProgram } from '../lib/process'
import { interleave, median } from '../lib/statistics'

const ROUNDS = 7
const REQUESTS = { connections: 32, seconds: 4 }
const BYTES = { connections: 4, times: 2 }
const peer = (name: string) => path.resolve(import.meta.dirname, '../peers', name)

/** Berth's gateway, which checks a pass on every request, and configurable-http-proxy, before the same plain server. */
export const gateway: Measure = async (bench) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-bench-http-'))
  const [originPort, socket] = [await freePort(), path.join(folder, 'origin.sock')]
  const origin = await startProgram([process.execPath, peer('plain-server.mjs'), String(originPort), socket], { ready: /ready/ })
  const berth = await startGateway(socket)
  const chp = await startProxy(bench, originPort)
  const direct = { port: originPort, host: `127.0.0.1:${originPort}` }
  const targets = { berth: berth.target, chp: chp.target, direct }
  try {
    const requests = await interleave(
      ROUNDS,
      each(targets, (target) => requestsPerSecond(target, REQUESTS)),
    )
    const bytes = await interleave(
      ROUNDS,
      each(targets, (target) => megabytesPerSecond(target, BYTES)),
    )
    return [
      { name: 'gateway_requests_over_chp', value: median(requests.berth) / median(requests.chp), unit: 'x', goal: '>=1.4' },
      ...Object.entries(requests).map(([side, values]) => line(`gateway_requests_${side}`, values, 'requests/s')),
      { name: 'gateway_bytes_over_chp', value: median(bytes.berth) / median(bytes.chp), unit: 'x', goal: '>=0.8' },
      ...Object.entries(bytes).map(([side, values]) => line(`gateway_bytes_${side}`, values, 'MB/s')),
    ]
  } finally {
    for (const running of [berth.running, chp.running, origin]) await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Targets = { berth: Target; chp: Target; direct: Target }

function each(targets: Targets, measure: (target: Target) => Promise<number>) {
  return { berth: () => measure(targets.berth), chp: () => measure(targets.chp), direct: () => measure(targets.direct) }
}

function line(name: string, values: number[], unit: string) {
  return { name, value: median(values), unit, goal: '-' }
}

async function startGateway(socket: string) {
  const running = await startProgram(['node_modules/.bin/tsx', peer('gateway.ts'), socket], { ready: /ready .*}/ })
  const target: Target = JSON.parse(/ready (.*)/.exec(running.output())?.[1] ?? '')
  return { running, target }
}

async function startProxy({ peers }: Bench, originPort: number) {
  const [port, apiPort] = [await freePort(), await freePort()]
  const options = ['--ip', '127.0.0.1', '--port', String(port), '--api-ip', '127.0.0.1', '--api-port', String(apiPort)]
  const target = `http://127.0.0.1:${originPort}`
  const running = await startProgram([process.execPath, peers.proxy, ...options, '--default-target', target], {
    ready: /Proxying/,
    env: { NODE_ENV: 'production' },
  })
  return { running, target: { port, host: `127.0.0.1:${port}` } }
}
