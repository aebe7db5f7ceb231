import assert from 'node:assert/strict'
import { once } from 'node:events'
import { v7 as uuidv7 } from 'uuid'
import { type DriverHarness, instanceOf, never, running, seen, started, until } from './conformance-world'

export type DriverCase = { name: string; run(harness: DriverHarness): Promise<void> }

/**
 * The suite that every driver passes: `it.each(DRIVER_CASES)('$name', ({ run }) => run(harness))`.
 * Each case uses instances of its own and stops what it started.
 */
export const DRIVER_CASES: readonly DriverCase[] = [
  { name: 'shows an instance from the moment its start resolves until it runs', run: startsAndRuns },
  { name: 'changes nothing when the same placement is started again', run: startsOnce },
  { name: 'refuses to resume from a workspace that is not there', run: needsItsWorkspace },
  { name: 'leaves nothing behind when a start is aborted before it began', run: abortedStart },
  { name: 'parks: nothing runs and the workspace is kept', run: parks },
  { name: 'resumes in the workspace that a parked instance left', run: resumesInWorkspace },
  { name: 'removes: nothing runs and nothing is kept', run: removes },
  { name: 'removes the workspace of an instance that it has forgotten', run: removesForgotten },
  { name: 'destroys a stray copy and keeps the workspace', run: destroys },
  { name: 'takes the stop of an absent instance as success, however it is meant', run: stopsAbsent },
  { name: 'takes two stops at once, and a stop after the end, as one', run: stopsTwice },
  { name: 'forgets a stopped instance and keeps its workspace', run: forgets },
  { name: 'finds everything again after a restart of the agent', run: foundAfterRestart },
  { name: 'lists every instance, each once', run: listsAll },
  { name: 'calls back when an observation changes, until unsubscribed', run: callsBack },
  { name: 'opens a door of a running instance, and none of an absent one', run: opensDoors },
  { name: 'pauses and resumes where it can, and rejects where it cannot', run: pauses },
]

async function startsAndRuns(h: DriverHarness) {
  const { driver, spec } = await started(h)
  assert.ok(['starting', 'running'].includes((await seen(driver, spec))?.status ?? 'absent'))
  const running = await until({ h, driver, spec }, 'running')
  assert.deepEqual(
    { workloadId: running.workloadId, workloadGen: running.workloadGen, code: running.code, exitCode: running.exitCode },
    { workloadId: spec.workloadId, workloadGen: spec.workloadGen, code: 'ok', exitCode: null },
  )
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function startsOnce(h: DriverHarness) {
  const { driver, spec } = await started(h)
  await Promise.all([driver.start(spec, never()), driver.start(spec, never())])
  await until({ h, driver, spec }, 'running')
  await driver.start(spec, never())
  const mine = (await driver.observe(never())).filter((o) => o.workloadId === spec.workloadId)
  assert.equal(mine.length, 1)
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function needsItsWorkspace(h: DriverHarness) {
  const driver = await h.open()
  const spec = h.spec({ needsWorkspace: true })
  const refusal = await driver.start(spec, never()).then(
    () => null,
    (error: unknown) => error,
  )
  if (refusal === null) assert.equal((await until({ h, driver, spec }, 'failed')).code, 'workspace_missing')
  else assert.equal((refusal as { code?: unknown }).code, 'workspace_missing')
  assert.equal(await h.hasWorkspace(spec.workloadId), false)
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function abortedStart(h: DriverHarness) {
  const driver = await h.open()
  const spec = h.spec()
  await assert.rejects(driver.start(spec, AbortSignal.abort()))
  assert.equal(await seen(driver, spec), undefined)
}

async function parks(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'park', never())
  const stopped = await until({ h, driver, spec }, 'stopped')
  assert.equal(stopped.hasWorkspace, true)
  assert.equal(await h.hasWorkspace(spec.workloadId), true)
  await assert.rejects(driver.connect(instanceOf(spec), h.door, AbortSignal.timeout(h.patienceMs)))
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function resumesInWorkspace(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'park', never())
  const again = { ...spec, placementId: uuidv7(), workloadGen: 2, needsWorkspace: true }
  await driver.start(again, never())
  await until({ h, driver, spec: again }, 'running')
  await driver.stop(instanceOf(again), 'remove', never())
  assert.equal(await h.hasWorkspace(spec.workloadId), false)
}

async function removes(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'remove', never())
  assert.ok([undefined, 'removed'].includes((await seen(driver, spec))?.status))
  assert.equal(await h.hasWorkspace(spec.workloadId), false)
}

async function removesForgotten(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'park', never())
  await driver.forget(instanceOf(spec))
  await driver.stop(instanceOf(spec), 'remove', never())
  assert.equal(await h.hasWorkspace(spec.workloadId), false)
}

async function destroys(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'destroy', never())
  assert.ok([undefined, 'stopped', 'removed'].includes((await seen(driver, spec))?.status))
  assert.equal(await h.hasWorkspace(spec.workloadId), true)
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function stopsAbsent(h: DriverHarness) {
  const driver = await h.open()
  for (const how of ['park', 'remove', 'destroy'] as const) await driver.stop(instanceOf(h.spec()), how, never())
  await driver.forget(instanceOf(h.spec()))
}

async function stopsTwice(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await Promise.all([driver.stop(instanceOf(spec), 'park', never()), driver.stop(instanceOf(spec), 'park', never())])
  await driver.stop(instanceOf(spec), 'park', never())
  assert.equal((await seen(driver, spec))?.status, 'stopped')
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function forgets(h: DriverHarness) {
  const { driver, spec } = await running(h)
  await driver.stop(instanceOf(spec), 'park', never())
  await driver.forget(instanceOf(spec))
  await driver.forget(instanceOf(spec))
  assert.equal(await seen(driver, spec), undefined)
  assert.equal(await h.hasWorkspace(spec.workloadId), true)
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function foundAfterRestart(h: DriverHarness) {
  const { driver, spec } = await running(h)
  const parked = h.spec()
  await driver.start(parked, never())
  await until({ h, driver, spec: parked }, 'running')
  await driver.stop(instanceOf(parked), 'park', never())
  const next = await h.open()
  assert.equal((await seen(next, spec))?.status, 'running')
  assert.equal((await seen(next, parked))?.status, 'stopped')
  await next.stop(instanceOf(spec), 'remove', never())
  await next.stop(instanceOf(parked), 'remove', never())
}

async function listsAll(h: DriverHarness) {
  const driver = await h.open()
  const specs = [h.spec(), h.spec(), h.spec()]
  await Promise.all(specs.map((s) => driver.start(s, never())))
  const ids = (await driver.observe(never())).map((o) => o.placementId)
  assert.equal(new Set(ids).size, ids.length)
  for (const spec of specs) assert.ok(ids.includes(spec.placementId))
  await Promise.all(specs.map((s) => driver.stop(instanceOf(s), 'remove', never())))
}

async function callsBack(h: DriverHarness) {
  const driver = await h.open()
  const heard: string[] = []
  const spec = h.spec()
  const stop = driver.onChange(() => heard.push('change'))
  await driver.start(spec, never())
  await until({ h, driver, spec }, 'running')
  assert.ok(heard.length > 0)
  stop()
  const before = heard.length
  await driver.stop(instanceOf(spec), 'remove', never())
  assert.equal(heard.length, before)
}

async function opensDoors(h: DriverHarness) {
  const { driver, spec } = await running(h)
  const stream = await driver.connect(instanceOf(spec), h.door, AbortSignal.timeout(h.patienceMs))
  const closed = once(stream, 'close')
  stream.on('error', () => undefined)
  stream.destroy()
  await closed
  await assert.rejects(driver.connect(instanceOf(h.spec()), h.door, AbortSignal.timeout(h.patienceMs)))
  await driver.stop(instanceOf(spec), 'remove', never())
}

async function pauses(h: DriverHarness) {
  const { driver, spec } = await running(h)
  if (h.canPause) {
    await driver.pause(instanceOf(spec), never())
    await driver.pause(instanceOf(spec), never())
    assert.equal((await seen(driver, spec))?.status, 'paused')
    await driver.resume(instanceOf(spec), never())
    assert.equal((await seen(driver, spec))?.status, 'running')
  } else await assert.rejects(driver.pause(instanceOf(spec), never()))
  await driver.stop(instanceOf(spec), 'remove', never())
}
