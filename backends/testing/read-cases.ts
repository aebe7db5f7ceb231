import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { ReadAsk, ReadSource, SearchAsk } from '@/protocol/read'
import type { PlacedWorkload, WorkloadBackend } from '../backend'
import { never, rejects } from './harness'

/** What an adapter's test gives the suite of reading: one machine that keeps what the test says was printed. */
export type ReadHarness = {
  backend: WorkloadBackend
  machineId: string
  /** A start of a workload on that machine; the next one of the same workload when one is given. */
  started(of?: PlacedWorkload): Promise<PlacedWorkload>
  print(w: PlacedWorkload, source: ReadSource, text: string): Promise<void>
  /** A notebook was saved in its workspace. */
  save(w: PlacedWorkload, path: string, text: string): Promise<void>
  /** Takes the connection of the machine away. */
  cut(): Promise<void>
}
export type ReadCase = { name: string; run(harness: ReadHarness): Promise<void> }

/** What every backend promises of `read`, `search` and `notebooks`. */
export const READ_CASES: readonly ReadCase[] = [
  { name: 'reads what was printed, whole, with its place in the record', run: readsAll },
  { name: 'reads the newest start when none is named, and an older one by its id', run: readsNewest },
  { name: 'reads only the end of it when so asked', run: readsTail },
  { name: 'carries a large record unchanged', run: readsLarge },
  { name: 'says not_found of what is not kept', run: saysNotFound },
  { name: 'finds lines, newest first, and says when there are more', run: searches },
  { name: 'lists the saved notebooks of a workspace and reads one, of this workload alone', run: readsNotebooks },
  { name: 'ends a read when the signal aborts, and begins none for one that has', run: cancels },
  { name: 'says unreachable of a machine that is away', run: saysUnreachable },
]

function readAsk(w: PlacedWorkload, change: Partial<ReadAsk> = {}): ReadAsk {
  const plain = { placementId: null, source: 'output', format: 'raw', tailBytes: null, isFollowed: false } as const
  return { ...plain, workloadId: w.id, ...change }
}

function searchAsk(w: PlacedWorkload, change: Partial<SearchAsk> = {}): SearchAsk {
  return { workloadId: w.id, placementId: null, source: 'output', text: 'needle', limit: 10, ...change }
}

async function readsAll(h: ReadHarness) {
  const w = await h.started()
  await h.print(w, 'output', 'héllo\nwörld\n')
  const { info, stream } = await h.backend.read(h.machineId, readAsk(w), never())
  assert.equal(await text(stream), 'héllo\nwörld\n')
  const { placementId, workloadGen, fromByte, endByte } = info
  assert.deepEqual([placementId, workloadGen, fromByte, endByte], [w.placement.id, w.placement.workloadGen, 0, 14])
}

async function readsNewest(h: ReadHarness) {
  const first = await h.started()
  await h.print(first, 'output', 'first')
  const second = await h.started(first)
  await h.print(second, 'output', 'second')
  const read = async (placementId: string | null) =>
    text((await h.backend.read(h.machineId, readAsk(first, { placementId }), never())).stream)
  assert.deepEqual([await read(null), await read(first.placement.id)], ['second', 'first'])
}

async function readsTail(h: ReadHarness) {
  const w = await h.started()
  await h.print(w, 'output', '0123456789')
  const { info, stream } = await h.backend.read(h.machineId, readAsk(w, { tailBytes: 4 }), never())
  assert.deepEqual([await text(stream), info.fromByte, info.endByte], ['6789', 6, 10])
}

async function readsLarge(h: ReadHarness) {
  const w = await h.started()
  const line = `${'x'.repeat(99)}\n`
  const printed = line.repeat(40_000)
  await h.print(w, 'build', printed)
  const { stream } = await h.backend.read(h.machineId, readAsk(w, { source: 'build' }), never())
  assert.ok((await text(stream)) === printed)
}

async function saysNotFound(h: ReadHarness) {
  const w = await h.started()
  await rejects(h.backend.read(h.machineId, readAsk(w), never()), 'not_found')
  await rejects(h.backend.search(h.machineId, searchAsk(w), never()), 'not_found')
}

async function searches(h: ReadHarness) {
  const w = await h.started()
  await h.print(w, 'output', 'a Needle\nhay\nneedle two\nneedle three\n')
  const all = await h.backend.search(h.machineId, searchAsk(w), never())
  assert.deepEqual(
    all.matches.map((m) => [m.seq, m.line]),
    [
      [24, 'needle three'],
      [13, 'needle two'],
      [0, 'a Needle'],
    ],
  )
  assert.equal(all.isComplete, true)
  const some = await h.backend.search(h.machineId, searchAsk(w, { limit: 1 }), never())
  assert.deepEqual([some.matches.length, some.isComplete], [1, false])
}

async function readsNotebooks(h: ReadHarness) {
  const [w, other] = [await h.started(), await h.started()]
  await h.save(w, 'a/b.ipynb', '{"é":1}')
  const ask = async (workloadId: string, path: string | null) =>
    text(await h.backend.notebooks(h.machineId, { workloadId, path }, never()))
  const { notebooks, isComplete } = JSON.parse(await ask(w.id, null))
  assert.deepEqual([notebooks.map((n: { path: string }) => n.path), isComplete], [['a/b.ipynb'], true])
  assert.equal(await ask(w.id, 'a/b.ipynb'), '{"é":1}')
  await rejects(ask(w.id, 'other.ipynb'), 'not_found')
  await rejects(ask(other.id, 'a/b.ipynb'), 'not_found')
}

async function cancels(h: ReadHarness) {
  const w = await h.started()
  await h.print(w, 'output', 'x'.repeat(4 * 2 ** 20))
  await assert.rejects(h.backend.read(h.machineId, readAsk(w), AbortSignal.abort()), { name: 'AbortError' })
  const reading = new AbortController()
  const { stream } = await h.backend.read(h.machineId, readAsk(w), reading.signal)
  const ended = text(stream)
  reading.abort()
  await assert.rejects(ended)
}

async function saysUnreachable(h: ReadHarness) {
  const w = await h.started()
  await h.print(w, 'output', 'x')
  await h.cut()
  await rejects(h.backend.read(h.machineId, readAsk(w), never()), 'unreachable')
  await rejects(h.backend.search(h.machineId, searchAsk(w), never()), 'unreachable')
  await rejects(h.backend.notebooks(h.machineId, { workloadId: w.id, path: null }, never()), 'unreachable')
}
