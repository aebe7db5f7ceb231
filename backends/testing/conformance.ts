import assert from 'node:assert/strict'
import { type BackendHarness, instanceOf, NO_LAUNCH, never, rejects, running, until } from './harness'

export type BackendCase = { name: string; run(harness: BackendHarness): Promise<void> }

/** The suite that every backend passes: `it.each(BACKEND_CASES)('$name', ({ run }) => run(harness))`. */
export const BACKEND_CASES: readonly BackendCase[] = [
  { name: 'accepts a start, and shows it running with its identity', run: startsAndRuns },
  { name: 'takes a second start of the same placement as the first', run: startsOnce },
  { name: 'says absent and not acknowledged of what was never started', run: neverStarted },
  { name: 'parks: stopped, workspace kept', run: parks },
  { name: 'takes a park of what is parked or absent as success', run: parksTwice },
  { name: 'resumes in the workspace by a newer placement', run: resumes },
  { name: 'refuses a start that a newer one replaced, and leaves the newer alone', run: refusesOlder },
  { name: 'removes: nothing runs, nothing is kept', run: removes },
  { name: 'takes a remove of what is removed or absent as success', run: removesAbsent },
  { name: 'removes the workspace that a parked placement left', run: removesParked },
  { name: 'destroys at once and keeps the workspace', run: destroys },
  { name: 'freezes and thaws', run: pauses },
  { name: 'reports a start that fails by its code', run: reportsCode },
  { name: 'reports a resume without its workspace as such', run: needsWorkspace },
  { name: 'says unknown of a machine that is away, and the truth when it is back', run: unknownWhileAway },
  { name: 'rejects a verb as unreachable while the machine is away', run: unreachable },
  { name: 'does nothing for a caller that has given up', run: aborted },
  { name: 'answers one row per asked instance, in their order', run: answersInOrder },
  { name: 'lists what is there, and not what was removed', run: lists },
  { name: 'carries bytes to a door of a running instance', run: carriesBytes },
  { name: 'opens no door of what is absent or parked', run: opensNoOther },
]

async function startsAndRuns(h: BackendHarness) {
  const w = await h.place()
  await h.backend.start(w, NO_LAUNCH, never())
  const seen = await until(h, w, ['running'])
  assert.deepEqual(
    { id: seen.placementId, gen: seen.workloadGen, code: seen.code, exitCode: seen.exitCode, acked: seen.acked },
    { id: w.placement.id, gen: w.placement.workloadGen, code: 'ok', exitCode: null, acked: 'run' },
  )
  assert.equal(typeof seen.bootId, 'string')
}

async function startsOnce(h: BackendHarness) {
  const w = await h.place()
  await Promise.all([h.backend.start(w, NO_LAUNCH, never()), h.backend.start(w, NO_LAUNCH, never())])
  await until(h, w, ['running'])
  await h.backend.start(w, NO_LAUNCH, never())
  const mine = (await h.backend.listed(never())).filter((i) => i.workloadId === w.id)
  assert.equal(mine.length, 1)
}

async function neverStarted(h: BackendHarness) {
  const w = await h.place()
  const [seen] = await h.backend.observe([instanceOf(w)], never())
  assert.equal(seen?.status, 'absent')
  assert.equal(seen?.acked, null)
}

async function parks(h: BackendHarness) {
  const w = await running(h)
  await h.backend.park(instanceOf(w), never())
  const seen = await until(h, w, ['stopped'])
  assert.equal(seen.hasWorkspace, true)
  assert.equal(seen.acked, 'park')
  assert.equal(await h.hasWorkspace(w.id), true)
}

async function parksTwice(h: BackendHarness) {
  const w = await running(h)
  await Promise.all([h.backend.park(instanceOf(w), never()), h.backend.park(instanceOf(w), never())])
  await until(h, w, ['stopped'])
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
  const absent = await h.place()
  await h.backend.park(instanceOf(absent), never())
  const seen = await until(h, absent, ['absent', 'stopped', 'removed'])
  assert.equal(seen.hasWorkspace, false)
}

async function resumes(h: BackendHarness) {
  const w = await running(h)
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
  const next = await h.replace(w)
  await h.backend.start(next, NO_LAUNCH, never())
  const seen = await until(h, next, ['running'])
  assert.equal(seen.workloadGen, w.placement.workloadGen + 1)
  assert.equal(seen.hasWorkspace, true)
}

async function refusesOlder(h: BackendHarness) {
  const w = await running(h)
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
  const next = await h.replace(w)
  await h.backend.start(next, NO_LAUNCH, never())
  await until(h, next, ['running'])
  await rejects(h.backend.start(w, NO_LAUNCH, never()), 'conflict')
  await until(h, next, ['running'])
  const [old] = await h.backend.observe([instanceOf(w)], never())
  assert.notEqual(old?.status, 'running')
}

async function removes(h: BackendHarness) {
  const w = await running(h)
  assert.equal(await h.hasWorkspace(w.id), true)
  await h.backend.remove(instanceOf(w), never())
  const seen = await until(h, w, ['removed', 'absent'])
  assert.equal(seen.acked, 'remove')
  assert.equal(await h.hasWorkspace(w.id), false)
}

async function removesAbsent(h: BackendHarness) {
  const w = await h.place()
  await h.backend.remove(instanceOf(w), never())
  await until(h, w, ['removed', 'absent'])
  await h.backend.remove(instanceOf(w), never())
  assert.equal((await until(h, w, ['removed', 'absent'])).acked, 'remove')
}

async function removesParked(h: BackendHarness) {
  const w = await running(h)
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
  await h.backend.remove(instanceOf(w), never())
  await until(h, w, ['removed', 'absent'])
  assert.equal(await h.hasWorkspace(w.id), false)
}

async function destroys(h: BackendHarness) {
  const w = await running(h)
  await h.backend.destroy(instanceOf(w), never())
  await until(h, w, ['stopped', 'removed', 'absent'])
  assert.equal(await h.hasWorkspace(w.id), true)
  await h.backend.destroy(instanceOf(w), never())
}

async function pauses(h: BackendHarness) {
  const w = await running(h)
  await h.asks(w, 'pause')
  await h.backend.pause(instanceOf(w), never())
  await until(h, w, ['paused'])
  await h.backend.pause(instanceOf(w), never())
  await h.asks(w, 'run')
  await h.backend.resume(instanceOf(w), never())
  await until(h, w, ['running'])
}

async function reportsCode(h: BackendHarness) {
  const w = await h.place()
  await h.breakStarts(w.id, 'environment_failed')
  await h.backend.start(w, NO_LAUNCH, never())
  assert.equal((await until(h, w, ['failed'])).code, 'environment_failed')
}

async function needsWorkspace(h: BackendHarness) {
  const w = await h.place()
  const next = await h.replace(w)
  await h.backend.start(next, NO_LAUNCH, never())
  assert.equal((await until(h, next, ['failed'])).code, 'workspace_missing')
}

async function unknownWhileAway(h: BackendHarness) {
  const w = await running(h)
  await h.cut()
  const [away] = await h.backend.observe([instanceOf(w)], never())
  assert.deepEqual({ status: away?.status, bootId: away?.bootId }, { status: 'unknown', bootId: null })
  assert.equal((await h.backend.listed(never())).filter((i) => i.workloadId === w.id).length, 0)
  await h.mend()
  await until(h, w, ['running'])
}

async function unreachable(h: BackendHarness) {
  const w = await running(h)
  await h.cut()
  await rejects(h.backend.park(instanceOf(w), never()), 'unreachable')
  await rejects(h.backend.connect(instanceOf(w), h.door, never()), 'unreachable')
  await h.mend()
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
}

async function aborted(h: BackendHarness) {
  const w = await h.place()
  await assert.rejects(h.backend.start(w, NO_LAUNCH, AbortSignal.abort()), { name: 'AbortError' })
  await h.tick()
  const [seen] = await h.backend.observe([instanceOf(w)], never())
  assert.equal(seen?.status, 'absent')
  await assert.rejects(h.backend.observe([instanceOf(w)], AbortSignal.abort()), { name: 'AbortError' })
  await assert.rejects(h.backend.connect(instanceOf(w), h.door, AbortSignal.abort()))
}

async function answersInOrder(h: BackendHarness) {
  const [a, b] = [await running(h), await running(h)]
  const c = await h.place()
  const asked = [c, a, b, a].map(instanceOf)
  const seen = await h.backend.observe(asked, never())
  assert.deepEqual(
    seen.map((o) => o.placementId),
    asked.map((i) => i.placementId),
  )
  assert.deepEqual(await h.backend.observe([], never()), [])
}

async function lists(h: BackendHarness) {
  const [kept, gone] = [await running(h), await running(h)]
  await h.backend.remove(instanceOf(gone), never())
  await until(h, gone, ['removed', 'absent'])
  const ids = (await h.backend.listed(never())).map((i) => i.placementId)
  assert.ok(ids.includes(kept.placement.id))
  assert.ok(!ids.includes(gone.placement.id))
}

async function carriesBytes(h: BackendHarness) {
  const w = await running(h)
  const stream = await h.backend.connect(instanceOf(w), h.door, never())
  stream.end('ping')
  assert.equal(Buffer.concat(await stream.toArray()).toString(), 'ping')
}

async function opensNoOther(h: BackendHarness) {
  const absent = await h.place()
  await rejects(h.backend.connect(instanceOf(absent), h.door, never()), 'not_found')
  const w = await running(h)
  await h.backend.park(instanceOf(w), never())
  await until(h, w, ['stopped'])
  await rejects(h.backend.connect(instanceOf(w), h.door, never()), 'not_found')
}
