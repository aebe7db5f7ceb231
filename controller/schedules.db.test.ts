import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAppError } from '@/domain/errors'
import { canMove, type State } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, pauseWorkload, recoverWorkload, restartWorkload, resumeWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { listEvents } from '@/server/store/events'
import { ControllerWorld } from '@/testing/controller-world'
import { freshDatabase, PROVIDERS, type Provider } from '@/testing/databases'
import { createInput } from '@/testing/seed'

/** What people and machines do, in any order, to any of up to three workloads. */
const ACTS = {
  create: async (run: Run) => run.ids.length < 3 && run.ids.push((await createWorkload(run.world.ctx, createInput())).id),
  park: (run: Run, id: string) => parkWorkload(run.world.ctx, id),
  resume: (run: Run, id: string) => resumeWorkload(run.world.ctx, id),
  pause: (run: Run, id: string) => pauseWorkload(run.world.ctx, id),
  restart: (run: Run, id: string) => restartWorkload(run.world.ctx, id),
  recover: (run: Run, id: string) => recoverWorkload(run.world.ctx, id),
  delete: (run: Run, id: string) => deleteWorkload(run.world.ctx, id),
  slow: async (run: Run, id: string) => run.world.fake.script(id, { startMs: 1500, stopMs: 1500 }),
  stubborn: async (run: Run, id: string) => run.world.fake.script(id, { isStubborn: true }),
  crash: async (run: Run, id: string) => run.world.fake.crash(await run.placementOf(id), 'out_of_memory'),
  exit: async (run: Run, id: string) => run.world.fake.exit(await run.placementOf(id), 3),
  vanish: async (run: Run, id: string) => run.vanish(await run.placementOf(id)),
  reappear: async (run: Run) => run.reappear(),
  reboot: async (run: Run) => run.world.fake.reboot(),
  away: async (run: Run) => run.setUp(false),
  back: async (run: Run) => run.setUp(true),
  kill: async (run: Run) => run.killSoon(),
  pass: async (run: Run) => run.passes(3),
} as const
type Act = keyof typeof ACTS

class Run {
  readonly ids: string[] = []
  readonly world: ControllerWorld
  #hidden: string[] = []

  constructor(world: ControllerWorld) {
    this.world = world
  }

  /** A refusal is an answer; anything else is a fault. */
  async act(name: Act, pick: number): Promise<void> {
    const id = this.ids[pick % Math.max(1, this.ids.length)]
    if (id === undefined && name !== 'create' && name !== 'pass') return
    await Promise.resolve(ACTS[name](this, id ?? '')).catch((error: unknown) => {
      if (!isAppError(error)) throw error
    })
    await this.passes(1)
  }

  async placementOf(id: string): Promise<string> {
    return (await this.world.workload(id)).placement?.id ?? ''
  }

  vanish(placementId: string): void {
    this.#hidden.push(placementId)
    this.world.fake.vanish(placementId)
  }

  /** What a machine had lost and has again may stand beside a newer start until it is told to end it. */
  hasTwins = false

  reappear(): void {
    this.hasTwins ||= this.#hidden.length > 0
    for (const placementId of this.#hidden.splice(0)) this.world.fake.reappear(placementId)
  }

  setUp(isUp: boolean): void {
    this.world.fake.isUp = isUp
  }

  killSoon(): void {
    this.world.killAfter = this.world.steps + 1
  }

  async passes(count: number): Promise<void> {
    for (let pass = 0; pass < count; pass++) await this.world.pass()
  }

  /** No fault any more: time passes until every timer has run out. */
  async calm(): Promise<void> {
    this.setUp(true)
    this.world.killAfter = null
    for (const id of this.ids) this.world.fake.script(id, { startMs: 0, stopMs: 0, isStubborn: false })
    await this.passes(10)
    for (let minute = 0; minute < 20; minute++) {
      this.world.clock.advance(60_000)
      await this.passes(1)
    }
    await this.passes(10)
  }
}

const RESTING: readonly State[] = ['running', 'paused', 'parked', 'failed', 'lost', 'removed', 'canceled']

/** I2 I3 I4 I6: what must be so once everything came to rest. */
async function expectRest(run: Run): Promise<State[]> {
  const up: string[] = []
  const reached: State[] = []
  for (const id of run.ids) {
    const w = await run.world.workload(id)
    expect(RESTING).toContain(w.state)
    if (w.state === 'running' || w.state === 'paused') up.push(w.placement?.id ?? 'none')
    else expect([w.state, w.placement]).toEqual([w.state, null])
    if (w.state === 'removed') expect(run.world.fake.workspaces.has(id)).toBe(false)
    if (w.state === 'parked') expect(run.world.fake.workspaces.has(id)).toBe(true)
    reached.push(...(await expectStory(run.world, w)))
  }
  const listed = run.world.fake.listed().map((i) => i.placementId)
  expect(listed.toSorted()).toEqual(up.toSorted())
  const open = await run.world.ctx.db.placement.findMany({ where: { workloadId: { in: run.ids }, releasedAt: null } })
  expect(open.map((p) => p.id).toSorted()).toEqual(up.toSorted())
  return reached
}

/** The timeline alone tells how it got there, with no gap and no move that the table forbids. */
async function expectStory(world: ControllerWorld, w: Workload): Promise<State[]> {
  const events = await listEvents(world.ctx.db, w.tenantId, { workloadId: w.id, afterSeq: 0, limit: 1000 })
  expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1))
  const moves = events.flatMap((e) => (e.to === null ? [] : [e]))
  for (const [i, move] of moves.entries()) {
    if (i > 0) expect(move.from).toBe(moves[i - 1]?.to)
    if (move.from && move.to) expect([move.from, move.to, canMove(move.from, move.to)]).toEqual([move.from, move.to, true])
  }
  expect(moves.at(-1)?.to).toBe(w.state)
  return moves.flatMap((move) => move.to ?? [])
}

/** PostgreSQL differs by its own tests; it gets a few schedules. A soak has many, and others each time. */
const isSoak = process.env.SOAK !== undefined
const RUNS: Record<Provider, number> = isSoak ? { sqlite: 400, postgres: 80 } : { sqlite: 15, postgres: 2 }
const SEED = isSoak ? {} : { seed: 20_260_302 }

describe.each(PROVIDERS)('on %s', (provider) => {
  it(
    'X4 X47 X48 X49: any order of clicks, faults and kills comes to rest, with one instance at most and nothing left behind',
    async () => {
      const { db, drop } = await freshDatabase(provider)
      let world = await ControllerWorld.open(db)
      const reached = new Set<State>()
      const act = fc.tuple(fc.constantFrom<Act>(...(Object.keys(ACTS) as Act[])), fc.nat({ max: 2 }))
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
          world = await world.renew()
          const run = new Run(world)
          await run.act('create', 0)
          for (const [name, pick] of acts) {
            await run.act(name, pick)
            const live = world.fake.listed().map((i) => i.workloadId)
            if (!run.hasTwins) expect([name, new Set(live).size]).toEqual([name, live.length])
          }
          run.reappear()
          await run.calm()
          for (const state of await expectRest(run)) reached.add(state)
        }),
        { numRuns: RUNS[provider], ...SEED, endOnFailure: true },
      )
      const everywhere: State[] = ['running', 'paused', 'parked', 'queued', 'failed', 'lost', 'removing', 'removed']
      if (provider === 'sqlite') expect([...reached]).toEqual(expect.arrayContaining(everywhere))
      await drop()
    },
    isSoak ? 3_600_000 : 300_000,
  )
})
