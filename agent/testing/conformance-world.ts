import { setTimeout as wait } from 'node:timers/promises'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { Driver } from '../drivers/driver'

/** What a driver's test gives the suite: a way to open it, specs that it can run, and where its workspaces are. */
export type DriverHarness = {
  /** A driver over the same data directory each time: opening it again is a restart of the agent. */
  open(): Promise<Driver>
  /** A small workload that stays up until it is stopped. */
  spec(over?: Partial<DesiredInstance>): DesiredInstance
  hasWorkspace(workloadId: string): Promise<boolean>
  /** A door that a running instance of `spec()` serves. */
  door: Door
  canPause: boolean
  /** Longest wait for an instance to come up or to end. */
  patienceMs: number
}

/** A signal that never aborts. */
export const never = () => new AbortController().signal

/** One instance of a case: where it runs and what it is. */
type Case = { h: DriverHarness; driver: Driver; spec: DesiredInstance }

/** A driver with one instance under way. */
export async function started(h: DriverHarness) {
  const driver = await h.open()
  const spec = h.spec()
  await driver.start(spec, never())
  return { driver, spec }
}

/** The same, up. */
export async function running(h: DriverHarness) {
  const { driver, spec } = await started(h)
  await until({ h, driver, spec }, 'running')
  return { driver, spec }
}

/** The part of a spec that names an instance. */
export function instanceOf(spec: DesiredInstance): Instance {
  return { workloadId: spec.workloadId, placementId: spec.placementId, workloadGen: spec.workloadGen }
}

/** What the driver says of an instance; undefined when it has none. */
export async function seen(driver: Driver, spec: Instance): Promise<ObservedInstance | undefined> {
  return (await driver.observe(never())).find((o) => o.placementId === spec.placementId)
}

/** Waits for a status; fails with the last one seen when the harness loses patience. */
export async function until({ h, driver, spec }: Case, status: ObservedInstance['status']): Promise<ObservedInstance> {
  const end = Date.now() + h.patienceMs
  for (;;) {
    const last = await seen(driver, spec)
    if (last?.status === status) return last
    if (Date.now() > end) throw new Error(`expected ${status}, saw ${last?.status ?? 'absent'} (${last?.code ?? 'no code'})`)
    await wait(10)
  }
}
