import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DesiredInstance } from '@/protocol/sync'
import { ProcessMachine } from '../../../testing/process-machine'
import { plainNotebook, sandboxedNotebook } from '../notebook-parts'
import { createProcessDriver } from '../process-driver'
import { openProcessParts } from '../process-parts'

const never = new AbortController().signal
const isRoot = process.getuid?.() === 0
/** Tools that only root may use. */
const asRoot = (tool: string, args: string[]) => execFileSync(tool, args)
let machine: ProcessMachine
beforeEach(async () => {
  machine = await ProcessMachine.make()
})
afterEach(() => machine.clean(createProcessDriver(machine.deps)))

const notebook = (over: Partial<DesiredInstance> = {}) =>
  machine.spec({ ...{ kind: 'notebook', runtime: 'jupyterlab', server: ['jupyterlab==4.6.6'], requirements: [] }, ...over })

describe('a build that cannot be done', () => {
  it('names the missing Python', async () => {
    const real = openProcessParts(machine.deps)
    const parts = { ...real, tools: async () => ({ ...(await real.tools()), interpreter: null }) }
    const work = (spec: DesiredInstance) => ({ spec, progress: () => undefined, signal: never })
    const policy = { open: true, allow: [], registries: [] }
    await expect(sandboxedNotebook(parts, work(notebook()), { policy, uid: null })).rejects.toMatchObject({ code: 'no_python' })
    const plain = work(notebook({ driver: 'process-plain' }))
    await expect(plainNotebook(parts, plain, { workspace: machine.root })).rejects.toMatchObject({ code: 'no_python' })
  })

  it.runIf(isRoot)(
    'names the full disk, and leaves nothing on it but its log',
    async () => {
      mkdirSync(machine.deps.dataDir)
      asRoot('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'none', machine.deps.dataDir])
      try {
        const driver = createProcessDriver(machine.deps)
        machine.patienceMs = 120_000
        for (const row of ['process-sandboxed', 'process-plain'] as const) {
          const spec = notebook({ driver: row })
          await driver.start(spec, never)
          const seen = await machine.until(driver, spec, (o) => o.status === 'failed')
          expect([seen.code, seen.subject], row).toEqual(['disk_full', null])
          expect(readdirSync(join(machine.deps.dataDir, 'environments')), row).toEqual([])
          await machine.remove(driver, spec)
        }
      } finally {
        await machine.endEgress()
        asRoot('umount', ['-l', machine.deps.dataDir])
      }
    },
    300_000,
  )
})
