import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { syncAnswer } from '@/protocol/sync'
import { until } from '@/testing/until'
import { egressSockets } from '../../egress/control-messages'
import { EgressService } from '../../egress/egress-service'
import { sampleSpec } from '../../testing/sample-spec'
import { openEgressClient } from './egress-client'
import { EgressWatch } from './egress-watch'
import { shortId } from './instance-record'
import { observeInstance } from './observe-instance'

const MB = 1_000_000
const log = createLog('egress', { level: 'error' })

it('E8: 60 MB sent to an allowed host are told of the instance and the host, also while the connection is open', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ev-'))
  const sink = createServer((socket) => socket.resume().on('error', () => socket.destroy()))
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done))
  const { port } = sink.address() as AddressInfo
  const service = new EgressService({
    ...{ stateDir: join(dir, 'egress'), runtimeDir: dir, code: 'copy', log, now: () => new Date(), idle: () => undefined },
    ...{ resolve: async () => ['93.184.216.34'], dial: () => connect({ host: '127.0.0.1', port }) },
  })
  await service.start()
  const copy = async () => ({ hash: 'copy', sessionHost: '', egress: '' })
  const client = openEgressClient({ dataDir: dir, runtimeDir: dir, log, copy })
  const spec = sampleSpec()
  const id = shortId(spec.placementId)
  const policy = { open: false, allow: ['gist.example', 'ok.example'], registries: [] }
  for (const one of [id, 'b'.repeat(32)]) await client.set(one, policy)
  let changes = 0
  const watch = new EgressWatch({ ask: () => client.said(), changed: () => changes++, log })
  const push = (host: string, bytes: number) =>
    new Promise<() => void>((done) => {
      const socket = connect(egressSockets(dir, join(dir, 'egress')).of(id))
      socket.write(`CONNECT ${host}:443 HTTP/1.1\r\n\r\n`)
      socket.once('data', () => socket.write(Buffer.alloc(bytes), () => done(() => socket.destroy())))
    })
  const heavy = async (wanted: string[]) => {
    watch.look()
    await until(`told of ${wanted}`, async () => {
      watch.look()
      return JSON.stringify(watch.of(id).heavyHosts) === JSON.stringify(wanted)
    })
  }

  const small = await push('ok.example', 10 * MB)
  const first = await push('gist.example', 30 * MB)
  first()
  await heavy([])
  const second = await push('gist.example', 30 * MB)
  await heavy(['gist.example'])
  expect((await client.said()).size).toBe(1)
  const record = { spec, bootId: 'boot', phase: 'starting', code: 'ok', subject: null } as const
  const measured = { use: null, isBusy: false }
  const seen = { bootId: 'boot', host: null, isReady: false, isFrozen: false, memoryKills: 0, progress: null, hasWorkspace: true }
  const observed = observeInstance(record, { ...seen, measured, ...watch.of(id) })
  expect(syncAnswer.shape.instances.element.parse(observed)).toMatchObject({ heavyHosts: ['gist.example'] })
  second()
  small()
  await heavy(['gist.example'])
  expect(changes).toBe(1)
  await service.close()
  sink.close()
  rmSync(dir, { recursive: true, force: true })
})
