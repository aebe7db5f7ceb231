import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inventory, machineUse } from '@/domain/machines'
import { createLog } from '@/kit/log'
import { parseGpus } from './gpus'
import { MachineInventory, mergeRuntimes, type Offers } from './inventory'
import { clip } from './text'

const log = createLog('test', { level: 'fatal' })
const SMI = `0, GPU-aaaa, NVIDIA L40S, 46068, 3, 0
1, GPU-bbbb, NVIDIA L40S, 46068, 41230, 97
2, GPU-cccc, NVIDIA L40S, 46068, 812, 12
3, GPU-dddd, NVIDIA H200, [Unknown Error], [Unknown Error], [N/A]
`
const NODES = new Map(['a', 'b', 'c', 'd'].map((letter, i) => [`GPU-${letter.repeat(4)}`, `/dev/nvidia${i}`]))
const PROGRAMS = 'GPU-bbbb, 4711\nGPU-cccc, 4712\n'

describe('GPUs', () => {
  it('are free only when nothing of anybody runs on them', () => {
    const devices = parseGpus(SMI, { programs: PROGRAMS, inUse: ['GPU-bbbb'], nodes: NODES })
    expect(devices.map((d) => d.state)).toEqual(['free', 'busy', 'foreign', 'wedged'])
    expect(devices[1]).toMatchObject({ index: 1, name: 'NVIDIA L40S', class: null, memoryBytes: 46068 * 2 ** 20, use: 0.97 })
  })

  it('stay valid whatever the program prints', () => {
    const odd = `,,,,,\n-1, u, n\u001b[31m, 99999999999, 1, 900\n${'9999, u, n, 1, 1, 900\n'.repeat(100)}nonsense`
    const devices = parseGpus(odd, { programs: '', inUse: [], nodes: NODES })
    expect(inventory.shape.devices.safeParse(devices).success).toBe(true)
  })
})

describe('the inventory', () => {
  const offers: Offers = {
    drivers: [{ row: 'sim', works: true, detail: null, fix: null, canPause: true }],
    runtimes: [{ runtime: 'shell', works: true, detail: null, fix: null }],
    enforces: ['memory'],
    registries: [{ host: 'registry.example', port: 443 }],
  }
  const open = () =>
    new MachineInventory({
      dataDir: tmpdir(),
      agentVersion: '0.1.0',
      offers: [async () => offers, async () => offers],
      devicesInUse: () => [],
      log,
    })

  it('is valid on this machine, before and after the slow questions', async () => {
    const machine = open()
    expect(inventory.safeParse(await machine.read()).success).toBe(true)
    await machine.refresh()
    const read = inventory.parse(await machine.read())
    expect(read).toMatchObject({ enforces: ['memory'], runtimes: [{ runtime: 'shell' }] })
    expect(read.registries).toContainEqual({ host: 'registry.example', port: 443 })
    expect(read.tools.node).toMatch(/^\d+\.\d+/)
    expect(machine.means().drivers).toHaveLength(2)
  })

  it('goes without a driver that cannot say what it offers', async () => {
    const broken = () => Promise.reject(new Error('no'))
    const machine = new MachineInventory({
      ...{ dataDir: tmpdir(), agentVersion: '0.1.0', devicesInUse: () => [], log },
      offers: [broken, async () => offers],
    })
    await machine.refresh()
    expect((await machine.read()).drivers).toEqual(offers.drivers)
  })

  it('asks once more, and not for ever, what a busy machine found broken', async () => {
    const broken: Offers = { ...offers, drivers: offers.drivers.map((d) => ({ ...d, works: false })) }
    const answers = [broken, offers, broken]
    let asked = 0
    const machine = new MachineInventory({
      ...{ dataDir: tmpdir(), agentVersion: '0.1.0', devicesInUse: () => [], log },
      offers: [async () => answers[asked++] ?? broken],
    })
    await machine.refresh()
    expect(machine.means().drivers).toEqual(broken.drivers)
    for (let n = 0; n < 3; n++) await machine.refresh()
    expect([asked, machine.means().drivers]).toEqual([2, offers.drivers])
  })

  it('samples the use of the machine within its bounds', async () => {
    const machine = open()
    expect(machineUse.safeParse(await machine.use()).success).toBe(true)
    expect(machineUse.safeParse(await machine.use()).success).toBe(true)
  })

  it('says that a runtime works if one driver can run it', () => {
    const row = (works: boolean, detail: string | null) => ({ runtime: 'jupyterlab', works, detail, fix: null })
    expect(mergeRuntimes([row(false, 'no python'), row(true, null)])).toEqual([row(true, null)])
    expect(mergeRuntimes([row(false, 'first'), row(false, 'second')])).toEqual([row(false, 'first')])
  })

  it('cuts odd text to one short line', () => {
    expect(clip(`a\r\n\u001b[31m${'x'.repeat(500)}`)).toHaveLength(120)
    expect(clip('a\n\u202eb')).toBe('a b')
  })
})
