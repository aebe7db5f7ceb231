import type { DriverRow } from '@/domain/drivers'

/** What a way to run things is called, as the drivers of a machine are listed. */
export const DRIVER_TITLE: Record<DriverRow, string> = {
  sim: 'Simulator',
  'process-plain': 'Plain processes',
  'process-sandboxed': 'Sandbox',
  docker: 'Docker containers',
  kubernetes: 'Kubernetes pods',
}

const RUNS_AS: Record<string, string> = {
  sim: 'simulated',
  'process-plain': 'a plain process, not isolated',
  'process-sandboxed': 'in a sandbox',
  docker: 'in a container',
  kubernetes: 'in a pod',
} satisfies Record<DriverRow, string>

/** The same where one workload runs in it; a driver that this page does not know yet keeps its own name. Pure. */
export function runsAs(driver: string): string {
  return RUNS_AS[driver] ?? driver
}
