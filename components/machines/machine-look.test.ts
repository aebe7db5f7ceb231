import { describe, expect, it } from 'vitest'
import type { Device, Inventory } from '@/domain/machines'
import type { MachineView } from '@/domain/views'
import { machineViewOf } from '@/testing/machine-view'
import { deviceLook, devicesText, freeDevices, machineLook, wasWord } from './machine-look'

const NOW = Date.UTC(2026, 2, 12, 14, 36)

const gpu = (patch: Partial<Device> = {}): Device => ({
  index: 0,
  uuid: 'GPU-0',
  name: 'NVIDIA L40S',
  class: 'l40s-48gb',
  memoryBytes: 48 * 2 ** 30,
  memoryUsedBytes: 0,
  state: 'free',
  use: 0,
  ...patch,
})

const inventory = (patch: Partial<Inventory> = {}): Inventory => ({
  os: 'Debian 12',
  arch: 'x86_64',
  hostname: 'atlas',
  cpus: 8,
  cpuModel: 'EPYC',
  memoryBytes: 64 * 2 ** 30,
  diskBytes: 1000,
  diskFreeBytes: 500,
  devices: [],
  drivers: [],
  runtimes: [],
  enforces: [],
  tools: {},
  agentVersion: '0.1.0',
  ...patch,
})

const machine = (patch: Partial<MachineView> = {}): MachineView =>
  machineViewOf('atlas', { inventory: inventory(), lastContactAt: new Date(NOW - 1000), ...patch })

describe('machineLook', () => {
  it('says silent before anything else, and for how long', () => {
    const silent = machine({ isConnected: false, lastContactAt: new Date(NOW - 7_200_000), state: 'draining' })
    expect(machineLook(silent, NOW)).toMatchObject({ word: 'Silent for 2 h', tone: 'warn' })
  })

  it('tells a machine that never spoke from a silent one', () => {
    expect(machineLook(machine({ isConnected: false, lastContactAt: null, inventory: null }), NOW).word).toBe('Joining')
  })

  it('warns of a full disk and never rounds 91 % down to fine', () => {
    expect(machineLook(machine({ inventory: inventory({ diskFreeBytes: 85 }) }), NOW)).toMatchObject({
      word: 'Disk 91 % full',
      tone: 'warn',
    })
    expect(machineLook(machine({ inventory: inventory({ diskFreeBytes: 100 }) }), NOW).word).toBe('Online')
  })
})

describe('deviceLook', () => {
  const at = (patch: Partial<MachineView>, device = gpu()) =>
    deviceLook(machine({ inventory: inventory({ devices: [device] }), ...patch }), device)

  it('fills a held GPU to its measured use, so that a held, idle one looks empty', () => {
    const used = { cpus: 1, memoryBytes: 1, diskBytes: 1, devices: ['GPU-0'] }
    expect(at({ used }, gpu({ state: 'busy', use: 0.04 }))).toMatchObject({ look: 'busy', use: 0.04 })
  })

  it('keeps the GPUs of a silent machine reserved', () => {
    expect(at({ isConnected: false }).look).toBe('silent')
  })

  it('shows foreign use, and a wedged GPU whatever else is true', () => {
    expect(at({}, gpu({ state: 'foreign' })).look).toBe('foreign')
    expect(at({ isConnected: false }, gpu({ state: 'wedged' })).look).toBe('wedged')
  })

  it('offers nothing while draining', () => {
    expect(at({ state: 'draining' }).look).toBe('off')
    expect(freeDevices(machine({ state: 'draining', inventory: inventory({ devices: [gpu()] }) }))).toBe(0)
  })
})

it('counts GPUs by class', () => {
  const devices = [gpu(), gpu({ index: 1, uuid: 'GPU-1' }), gpu({ index: 2, uuid: 'GPU-2', class: null, name: 'Tesla K80' })]
  expect(devicesText(machine({ inventory: inventory({ devices }) }))).toBe('2 × l40s-48gb, Tesla K80')
  expect(devicesText(machine())).toBe('CPU only')
})

it('says of what was seen before Berth fell silent that it was so', () => {
  expect([wasWord('Online'), wasWord('online')]).toEqual(['Was online', 'was online'])
})
