import { afterAll, beforeAll, describe, it } from 'vitest'
import { DRIVER_CASES } from '../../testing/conformance'
import { ProcessMachine } from '../../testing/process-machine'
import { openCgroups } from './limits/open-cgroups'
import { createProcessDriver } from './process-driver'

let machine: ProcessMachine
beforeAll(async () => {
  machine = await ProcessMachine.make()
})
afterAll(() => machine.clean(createProcessDriver(machine.deps)))

describe.each(['process-sandboxed', 'process-plain'] as const)('%s', (driver) => {
  it.each(DRIVER_CASES)('$name', ({ run }) =>
    run({
      open: async () => createProcessDriver(machine.deps),
      spec: (over) => machine.spec({ driver, ...over }),
      hasWorkspace: (workloadId) => machine.hasWorkspace(workloadId),
      door: 'terminal',
      canPause: driver === 'process-sandboxed' && openCgroups().canPause,
      patienceMs: 60_000,
    }),
  )
})
