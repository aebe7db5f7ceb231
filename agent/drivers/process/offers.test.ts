import { describe, expect, it } from 'vitest'
import { driverOffer, registryHost, runtimeOffer } from '@/domain/machines'
import { openCgroups } from './limits/open-cgroups'
import { describeOffers, offers } from './offers'
import { readMachineTools } from './tools/machine-tools'

const python = { path: '/usr/bin/python3.11', version: '3.11.2', hasVenv: true }
const works = { works: true } as const

describe('what a machine offers', () => {
  it('names what is missing and the one line that helps', () => {
    const sandbox = { works: false, detail: 'bwrap is not installed', fix: 'apt install bubblewrap' } as const
    const { drivers, runtimes } = describeOffers({ sandbox, interpreter: python, uv: null, canPause: true })
    expect(drivers[0]).toEqual({
      ...{ row: 'process-sandboxed', works: false, canPause: false },
      ...{ detail: 'bwrap is not installed', fix: 'apt install bubblewrap' },
    })
    // Both run without it, and say so, with the line that brings one.
    for (const row of [...runtimes, drivers[1]]) expect(row).toMatchObject({ works: true, fix: 'apt install bubblewrap' })
    for (const row of runtimes) expect(row.detail).toBe('without a sandbox: bwrap is not installed')
    expect(drivers[1]?.detail).toContain('no isolation')
  })

  it('needs a Python of the system that can make environments, or uv', () => {
    const notebooks = (interpreter: typeof python | null, uv: { path: string; version: string } | null) =>
      describeOffers({ sandbox: works, interpreter, uv, canPause: false }).runtimes[0]
    const uv = { path: '/usr/bin/uv', version: '0.9.0' }
    expect(notebooks(null, uv)).toMatchObject({ works: false, fix: 'apt install python3 python3-venv' })
    expect(notebooks({ ...python, hasVenv: false }, null)).toMatchObject({ works: false, fix: 'apt install python3-venv' })
    expect(notebooks({ ...python, hasVenv: false }, uv)).toMatchObject({ works: true, fix: null })
    expect(notebooks(python, null)).toMatchObject({ works: true, fix: null })
  })

  it('says of a plain process that it has no isolation and cannot be paused', () => {
    const { drivers } = describeOffers({ sandbox: works, interpreter: python, uv: null, canPause: true })
    expect(drivers.map((d) => [d.row, d.works, d.canPause])).toEqual([
      ['process-sandboxed', true, true],
      ['process-plain', true, false],
    ])
    expect(drivers[1]?.detail).toContain('no isolation')
  })

  it('fits the inventory, asked of this machine', async () => {
    const tools = readMachineTools()
    const found = await offers({
      isRoot: process.getuid?.() === 0,
      cgroups: openCgroups(),
      readTools: () => tools,
      warm: async () => undefined,
    })
    for (const row of found.drivers) driverOffer.parse(row)
    for (const row of found.runtimes) runtimeOffer.parse(row)
    for (const row of found.registries) registryHost.parse(row)
    expect(found.drivers[0]?.works).toBe(true)
    expect(found.tools.bubblewrap).toMatch(/^\d+\.\d+/)
  })
})
