import { v7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PURPOSES } from '@/domain/tickets'
import { eachProvider } from '@/testing/databases'
import { createInput } from '@/testing/seed'
import { contextOf } from './context'
import { appRouter, createCaller } from './root'
import { canaries, everythingBut, makeWorld, type World } from './testing/tenancy-world'
import { type Answer, call } from './testing/web'

/**
 * One row for each procedure. `input` names something of the owner's tenant; `random` is the same question about something
 * that does not exist. `own`: there is no id to ask with, so a stranger gets their own and nothing of the owner's.
 */
type Row = { asks: 'foreign' | 'own' | 'nothing'; input?: (world: World) => unknown; random?: () => unknown }
const byId = (pick: (world: World) => string, more: Record<string, unknown> = {}): Row => ({
  asks: 'foreign',
  input: (world) => ({ id: pick(world), ...more }),
  random: () => ({ id: v7(), ...more }),
})

const MATRIX: Record<string, Row> = {
  'setup.status': { asks: 'nothing' },
  'setup.create': { asks: 'nothing' },
  'me.get': { asks: 'own' },
  'me.setTheme': { asks: 'own', input: () => ({ theme: 'dark' }) },
  'signIns.list': { asks: 'own' },
  'signIns.revoke': byId((w) => w.owner.signInId),
  'signIns.revokeOthers': { asks: 'own' },
  'workloads.create': {
    asks: 'foreign',
    input: (w) => createInput({ spec: { machineId: w.machine.id } }),
    random: () => createInput({ spec: { machineId: v7() } }),
  },
  'workloads.get': byId((w) => w.workloads.running),
  'workloads.list': { asks: 'own', input: (w) => ({ ended: true, text: 'canary', cursor: w.workloads.waiting }) },
  'workloads.counts': { asks: 'own' },
  'workloads.events': byId((w) => w.workloads.running),
  'workloads.why': byId((w) => w.workloads.queued),
  'workloads.fit': {
    asks: 'own',
    input: (w) => ({ kind: 'session', spec: createInput({ spec: { machineId: w.machine.id } }).spec }),
  },
  'workloads.park': byId((w) => w.workloads.running),
  'workloads.resume': byId((w) => w.workloads.parked),
  'workloads.restart': byId((w) => w.workloads.failed),
  'workloads.recover': byId((w) => w.workloads.lost),
  'workloads.delete': byId((w) => w.workloads.doomed),
  'workloads.rename': byId((w) => w.workloads.renamed, { name: 'taken-over' }),
  'workloads.ticket': {
    asks: 'foreign',
    input: (w) => ({ workloadId: w.workloads.renamed, purpose: 'http' }),
    random: () => ({ workloadId: v7(), purpose: 'http' }),
  },
  'machines.list': { asks: 'own' },
  'machines.get': byId((w) => w.machine.id),
  'catalog.get': { asks: 'own' },
  'system.info': { asks: 'own' },
  'live.changes': { asks: 'own' },
}

const declared = z.object({ type: z.string(), meta: z.object({ permission: z.string() }).optional() })
const procedures = Object.entries<unknown>(appRouter._def.procedures).map(
  ([path, p]) => [path, declared.parse(Reflect.get(Object(p), '_def'))] as const,
)
const paths = procedures.map(([path]) => path)
const typeOf = (path: string) => procedures.find(([p]) => p === path)?.[1].type
const called = paths.filter((path) => typeOf(path) !== 'subscription')

function ask(world: World, path: string, asked: { input: unknown; cookie?: string }): Promise<Answer> {
  const method = typeOf(path) === 'mutation' ? 'POST' : 'GET'
  return call(world.runtime, path, { input: asked.input, method, headers: asked.cookie ? { cookie: asked.cookie } : {} })
}
const withoutIds = (answer: Answer) => answer.text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')

describe('the tenancy matrix', () => {
  it('has a row for every procedure, and no other', () => {
    expect(Object.keys(MATRIX).sort()).toEqual([...paths].sort())
  })

  it('every procedure declares who may call it, and a mutation never with the scope to read', () => {
    expect(
      Object.fromEntries(procedures.map(([path, { type, meta }]) => [path, `${type}: ${meta?.permission}`])),
    ).toMatchSnapshot()
    for (const [path, { type, meta }] of procedures) {
      expect([path, ['anyone', 'read', 'write', 'browser']]).toEqual([path, expect.arrayContaining([meta?.permission])])
      if (type === 'mutation') expect([path, meta?.permission]).not.toEqual([path, 'read'])
    }
  })
})

eachProvider('another tenant', (db) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(db())
  })

  it.each(called.filter((path) => MATRIX[path]?.asks === 'foreign'))(
    '%s: does not exist for them, byte for byte, and nothing changes',
    async (path) => {
      const row = MATRIX[path]
      const before = await everythingBut(db(), world)
      const { cookie } = world.stranger
      const foreign = await ask(world, path, { input: row?.input?.(world), cookie })
      const random = await ask(world, path, { input: row?.random?.(), cookie })
      expect(foreign.status).toBe(404)
      expect(foreign.berth?.code).toBe('not_found')
      expect(withoutIds(foreign)).toBe(withoutIds(random))
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it.each(called.filter((path) => MATRIX[path]?.asks === 'own'))(
    '%s: they get their own, and nothing of the others',
    async (path) => {
      const before = await everythingBut(db(), world)
      const answer = await ask(world, path, { input: MATRIX[path]?.input?.(world), cookie: world.stranger.cookie })
      expect([path, answer.status]).toEqual([path, 200])
      for (const text of canaries(world)) expect(answer.text).not.toContain(text)
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it('live.changes: they see their own, and nothing of the others', async () => {
    const headers = new Headers({ cookie: world.stranger.cookie })
    const stream = await createCaller(await contextOf(headers, world.runtime)).live.changes({ lastEventId: '0' })
    for await (const message of stream) {
      for (const text of canaries(world)) expect(JSON.stringify(message)).not.toContain(text)
      break
    }
  })

  it.each(called.filter((path) => MATRIX[path]?.asks !== 'nothing'))(
    '%s: asks for a sign-in, and nothing changes',
    async (path) => {
      const before = await everythingBut(db(), world)
      const answer = await ask(world, path, { input: MATRIX[path]?.input?.(world) })
      expect([path, answer.status, answer.berth?.code]).toEqual([path, 401, 'unauthenticated'])
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it('live.changes: asks for a sign-in', async () => {
    const caller = createCaller(await contextOf(new Headers(), world.runtime))
    await expect(caller.live.changes({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it.each(PURPOSES)('a ticket to %s of a foreign workload does not exist', async (purpose) => {
    const input = { workloadId: world.workloads.renamed, purpose }
    expect((await ask(world, 'workloads.ticket', { input, cookie: world.stranger.cookie })).status).toBe(404)
  })

  it('the owner can do all of it: the rows above ask for something real', async () => {
    const refused: unknown[] = []
    for (const path of called.filter((p) => MATRIX[p]?.asks === 'foreign' && p !== 'signIns.revoke')) {
      const answer = await ask(world, path, { input: MATRIX[path]?.input?.(world), cookie: world.owner.cookie })
      if (answer.status !== 200) refused.push([path, answer.text])
    }
    expect(refused).toEqual([])
    const revoked = await ask(world, 'signIns.revoke', { input: { id: world.owner.signInId }, cookie: world.owner.cookie })
    expect(revoked.status).toBe(200)
  })
})
