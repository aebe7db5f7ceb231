import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import type { DesiredInstance } from '@/protocol/sync'
import type { DriverDeps } from '../drivers/deps'
import { createProcessDriver } from '../drivers/process/process-driver'

/** What an agent's process of the tests is told: it starts one instance, says so when it runs, and stays until it is killed. */
export type Asked = { deps: Omit<DriverDeps, 'log' | 'clock'>; spec: DesiredInstance }
const { deps, spec } = JSON.parse(process.argv[2] ?? '') as Asked
const driver = createProcessDriver({ ...deps, log: createLog('agent', { level: 'warn' }), clock: systemClock })
const { signal } = new AbortController()

await driver.start(spec, signal)
const look = async () => {
  const seen = (await driver.observe(signal)).find((o) => o.placementId === spec.placementId)
  if (seen?.status === 'failed') throw new Error(`the instance failed: ${seen.code}`)
  return seen?.status === 'running'
}
for (let tries = 0; tries < 12_000 && !(await look()); tries++) await new Promise((resolve) => setTimeout(resolve, 100))
process.stdout.write('running\n')
process.once('SIGTERM', () => void driver.stop(spec, 'remove', signal).finally(() => process.exit(0)))
// It ends with the test that started it.
process.stdin.resume().once('close', () => process.exit(1))
