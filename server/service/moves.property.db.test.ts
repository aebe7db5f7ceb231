import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '@/domain/errors'
import type { Machine } from '@/domain/machines'
import { because } from '@/domain/reasons'
import { canMove, isTerminal } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { saveExitCode } from '@/server/store/system/observing'
import { findWorkload } from '@/server/store/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, placementLease, seedMachine, seedTenant } from '@/testing/seed'
import * as moves from './controller-moves'
import type { Ctx } from './ctx'
import { deleteWorkload } from './deletion'
import { parkWorkload, pauseWorkload, recoverWorkload, restartWorkload, resumeWorkload } from './operations'
import { createWorkload } from './workloads'

const RUNS = 12
const LENGTH = 25

type World = { ctx: Ctx; machine: Machine; epoch: number }
type Act = (world: World, now: Workload) => Promise<unknown>

const settle = ({ ctx }: World, workload: Workload) => {
  return { workload, reason: because('started', {}), at: ctx.now(), hasWorkspace: true }
}
const person =
  (operation: (ctx: Ctx, id: string) => Promise<unknown>): Act =>
  ({ ctx }, { id }) =>
    operation(ctx, id)
const machine =
  (move: (db: Ctx['db'], s: ReturnType<typeof settle>) => Promise<unknown>): Act =>
  (world, now) =>
    move(world.ctx.db, settle(world, now))

/** Whatever people, the controller and machines may try, in any order and in any state. */
const ACTS: Record<string, Act> = {
  park: person(parkWorkload),
  pause: person(pauseWorkload),
  resume: person(resumeWorkload),
  restart: person(restartWorkload),
  recover: person(recoverWorkload),
  delete: person(deleteWorkload),
  place: ({ ctx, machine: on, epoch }, workload) =>
    moves.placeWorkload(ctx.db, {
      ...{ workload, epoch, machineId: on.id, catalog: ctx.catalog },
      placementId: ctx.newId(),
      at: ctx.now(),
    }),
  running: machine(moves.toRunning),
  paused: machine(moves.toPaused),
  parking: machine(moves.toParking),
  parked: machine(moves.toParked),
  failed: machine(moves.toFailed),
  lost: machine(moves.toLost),
  removed: machine(moves.toRemoved),
  again: (world, now) => moves.toQueuedAgain(world.ctx.db, { ...settle(world, now), nextTryAt: null }),
  look: machine(moves.endLook),
  back: machine(moves.takeBack),
  exit: ({ ctx }, { id, placement }) =>
    saveExitCode(ctx.db, { workloadId: id, placementId: placement?.id ?? ctx.newId(), exitCode: 1 }),
}

eachProvider('any order of moves', (get) => {
  it('stays inside the table of states; what ended never leaves; version, generation and sequence never fall', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const world = { ctx, machine: await seedMachine(get(), seed), epoch: (await placementLease(get())).epoch }
    // Deletes end the story: they are drawn seldom.
    const act = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...Object.keys(ACTS)) },
      { weight: 10, arbitrary: fc.constant('place') },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: LENGTH }), fc.boolean(), async (names, isDeletedEarly) => {
        const created = await createWorkload(ctx, createInput())
        const { id } = created
        let last = created
        for (const name of names) {
          if (name === 'delete' && !isDeletedEarly) continue
          const before = await known(ctx, id)
          await ACTS[name]?.(world, before).catch((error: unknown) => expect(error).toBeInstanceOf(AppError))
          const now = await known(ctx, id)
          expect(now.version).toBeGreaterThanOrEqual(last.version)
          expect(now.workloadGen).toBeGreaterThanOrEqual(last.workloadGen)
          if (isTerminal(last.state)) expect(now.state).toBe(last.state)
          if (['parked', 'queued', 'removed', 'canceled', 'lost'].includes(now.state)) expect(now.placement).toBeNull()
          last = now
        }
        await checkStory(ctx, id)
        await get().placement.updateMany({ where: { workloadId: id }, data: { releasedAt: ctx.now() } }) // room for the next
      }),
      { numRuns: RUNS, seed: 20260302 },
    )
  })

  async function checkStory(ctx: Ctx, id: string): Promise<void> {
    const events = await get().workloadEvent.findMany({ where: { workloadId: id }, orderBy: { seq: 'asc' } })
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
    const steps = events.filter((event) => event.toState !== null)
    for (const [i, step] of steps.entries()) {
      expect(step.fromState).toBe(steps[i - 1]?.toState ?? null)
      if (step.fromState) expect(canMove(step.fromState as 'queued', step.toState as 'queued')).toBe(true)
    }
    const placements = await get().placement.findMany({ where: { workloadId: id }, orderBy: { createdAt: 'asc' } })
    expect(placements.filter((row) => row.releasedAt === null).length).toBeLessThanOrEqual(1)
    expect(new Set(placements.map((row) => row.workloadGen)).size).toBe(placements.length)
    const now = await known(ctx, id)
    const open = await get().operation.findMany({ where: { openKey: id } })
    if (isTerminal(now.state)) expect(open).toEqual([])
  }

  it('I8 X20: what a machine says of an earlier start, however late, leaves row and timeline as they are', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const world = { ctx, machine: await seedMachine(get(), seed), epoch: (await placementLease(get())).epoch }
    const said = ['running', 'paused', 'parked', 'failed', 'lost', 'removed', 'again', 'exit']
    const events = (id: string) => get().workloadEvent.count({ where: { workloadId: id } })
    let late = 0
    const order = fc.array(fc.record({ at: fc.nat(), said: fc.constantFrom(...said) }), { minLength: 6, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(order, async (reports) => {
        const { id } = await createWorkload(ctx, createInput())
        const snapshots: Workload[] = []
        for (const report of reports) {
          for (const name of ['place', 'running', 'parking', 'parked', 'resume'].slice(0, 1 + (report.at % 5)))
            await ACTS[name]?.(world, await known(ctx, id)).catch((error: unknown) => expect(error).toBeInstanceOf(AppError))
          const now = await known(ctx, id)
          const old = snapshots[report.at % (snapshots.length || 1)]
          snapshots.push(now)
          if (!old?.placement || old.placement.id === now.placement?.id) continue
          const before = await events(id)
          await ACTS[report.said]?.(world, old).catch((error: unknown) => expect(error).toBeInstanceOf(AppError))
          expect([await known(ctx, id), await events(id)]).toEqual([now, before])
          late += 1
        }
        await ACTS.delete?.(world, await known(ctx, id))
      }),
      { numRuns: RUNS, seed: 20260303 },
    )
    expect(late).toBeGreaterThan(RUNS)
  })
})

async function known(ctx: Ctx, id: string): Promise<Workload> {
  const found = await findWorkload(ctx.db, ctx.tenantId, id)
  if (!found) throw new Error('a workload never disappears')
  return found
}
