import { afterAll, beforeAll, expect, it } from 'vitest'
import { ProcessMachine } from '../../testing/process-machine'
import type { LocalInstance } from '../driver'
import { createProcessDriver } from './process-driver'

let machine: ProcessMachine
beforeAll(async () => {
  machine = await ProcessMachine.make()
})
const driver = () => createProcessDriver(machine.deps)
let made: ReturnType<typeof driver>
afterAll(() => machine.clean(made))

/** What is said while a start goes on, without repetitions. */
function said(seen: readonly LocalInstance[], placementId: string): string[] {
  const words = seen.filter((i) => i.placementId === placementId).map((i) => i.progress?.stage ?? i.status)
  return words.filter((word, i) => word !== words[i - 1])
}

it('never says an earlier stage after a later one, whenever it is asked', async () => {
  made = driver()
  const signal = AbortSignal.timeout(110_000)
  const specs = Array.from({ length: 4 }, () => machine.spec({ driver: 'process-plain' }))
  const seen: LocalInstance[] = []
  for (const spec of specs) {
    await made.start(spec, signal)
    const isUp = () => seen.some((i) => i.placementId === spec.placementId && i.status === 'running')
    while (!isUp() && !signal.aborted) seen.push(...(await made.observe(signal)))
  }
  for (const { placementId } of specs) expect(said(seen, placementId).join(' ')).toMatch(/^(creating )?(starting )?running$/)
})
