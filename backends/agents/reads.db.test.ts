import type { ServerHttp2Stream } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeAgent, fakeAgent, honest } from '@/controller/hub/testing/fake-agent'
import { type HubWorld, openHubWorld } from '@/controller/hub/testing/hub-world'
import { isAppError } from '@/domain/errors'
import { notebooksAsk } from '@/protocol/notebooks'
import { READ_INFO_HEADER, readAsk, searchAsk } from '@/protocol/read'
import { freshDatabase } from '@/testing/databases'
import { until } from '@/testing/until'
import { placedOf } from '@/testing/workloads'
import { FakeRecords } from '../fake/fake-records'
import { instanceOf } from '../testing/harness'
import { READ_CASES, type ReadHarness } from '../testing/read-cases'
import { AgentsBackend } from './agents-backend'

const never = new AbortController().signal
let world: HubWorld
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await freshDatabase('sqlite')
  drop = made.drop
  world = await openHubWorld(made.db, { timing: { syncEveryMs: 600_000 } })
})
afterAll(async () => {
  await world.close()
  await drop()
})

/** An agent that keeps what it is given, behind a real hub and a real tunnel. */
async function connected(onCall: (path: string, body: unknown, stream: ServerHttp2Stream) => void) {
  const machineId = world.machine.id
  const agent = await fakeAgent(world, (request) => ({ text: JSON.stringify(honest(request)) }), { onCall })
  await until('connected', () => world.hub.link.observations(machineId) !== null)
  return { agent, machineId, backend: backendOf() }
}

function backendOf(): AgentsBackend {
  return new AgentsBackend({ db: world.db, link: world.hub.link, runtimeDir: world.folder, epoch: () => 1 })
}

async function leave(agent: FakeAgent): Promise<void> {
  agent.socket.destroy()
  await until('away', () => !world.hub.link.isConnected(world.machine.id))
}

function answering(records: FakeRecords) {
  return (path: string, body: unknown, stream: ServerHttp2Stream) => {
    try {
      if (path === '/v1/search') {
        const found = JSON.stringify(records.search(searchAsk.parse(body)))
        stream.respond({ ':status': 200 })
        stream.end(found)
        return
      }
      if (path === '/v1/notebooks') {
        const found = records.notebooks(notebooksAsk.parse(body))
        stream.respond({ ':status': 200 })
        found.pipe(stream)
        return
      }
      const { info, stream: bytes } = records.read(readAsk.parse(body))
      stream.respond({ ':status': 200, [READ_INFO_HEADER]: JSON.stringify(info) })
      bytes.pipe(stream)
    } catch (error) {
      stream.respond({ ':status': isAppError(error) ? error.status : 500 }, { endStream: true })
    }
  }
}

describe('the agents backend over a real hub and tunnel, as every backend,', () => {
  it.each(READ_CASES)('$name', async ({ run }) => {
    const records = new FakeRecords()
    const { agent, backend, machineId } = await connected(answering(records))
    const harness: ReadHarness = {
      backend,
      machineId,
      started: async (of) => placedOf(of ? { id: of.id, workloadGen: of.workloadGen + 1 } : {}),
      print: async (w, source, text) => records.print(instanceOf(w), source, text),
      save: async (w, path, text) => records.save(w.id, path, text),
      cut: () => leave(agent),
    }
    await run(harness)
    await leave(agent)
  })

  it('takes no answer that says nothing of what it holds, and repeats no word of it', async () => {
    const answers: [number, Record<string, string>, string][] = [
      [200, {}, 'bytes'],
      [200, { [READ_INFO_HEADER]: 'not json' }, 'bytes'],
      [200, { [READ_INFO_HEADER]: '{"fromByte":-1}' }, 'bytes'],
      [500, {}, '<b>boom</b>'],
    ]
    let turn = 0
    const { agent, backend, machineId } = await connected((_, __, stream) => {
      const [status, headers, text] = answers[turn++ % answers.length] ?? expect.fail()
      stream.respond({ ':status': status, ...headers })
      stream.end(text)
    })
    const w = placedOf()
    const plain = { placementId: null, format: 'raw' as const, tailBytes: null, isFollowed: false }
    for (const _ of answers)
      await expect(backend.read(machineId, { ...plain, workloadId: w.id, source: 'output' }, never)).rejects.toMatchObject({
        code: 'unavailable',
        message: 'what the machine keeps is not available now; try again',
      })
    turn = 0
    const ask = { workloadId: w.id, placementId: null, source: 'output' as const, text: 'x', limit: 1 }
    for (const _ of answers) await expect(backend.search(machineId, ask, never)).rejects.toMatchObject({ code: 'unavailable' })
    const saved = { workloadId: w.id, path: 'a.ipynb' }
    turn = answers.length - 1
    await expect(backend.notebooks(machineId, saved, never)).rejects.toMatchObject({ code: 'unavailable' })
    answers[0] = [413, {}, '']
    await expect(backend.notebooks(machineId, saved, never)).rejects.toMatchObject({ code: 'over_limit' })
    await leave(agent)
  })
})
