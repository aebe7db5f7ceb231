import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gpuNodes } from '../../inventory/gpu-nodes'
import { parseGpus } from '../../inventory/gpus'
import { gpuBinds } from './gpu-binds'

let root = ''
const places = () => ({ proc: join(root, 'proc'), dev: join(root, 'dev') })
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gpu-'))
  mkdirSync(join(root, 'dev'))
  const files = ['nvidia0', 'nvidia3', 'nvidiactl', 'nvidia-uvm', 'nvidia-caps', 'sda', 'kmsg']
  for (const name of files) writeFileSync(join(root, 'dev', name), '')
  const gpus: [string, string, string][] = [
    ['0000:01:00.0', 'GPU-aaaa', '0'],
    ['0000:02:00.0', 'GPU-bbbb', '3'],
    ['0000:03:00.0', 'GPU-cccc', '9'],
    ['0000:04:00.0', 'GPU-dddd', '../sda'],
  ]
  for (const [slot, uuid, minor] of gpus) {
    mkdirSync(join(root, 'proc', slot), { recursive: true })
    writeFileSync(
      join(root, 'proc', slot, 'information'),
      `Model: \t\t NVIDIA\nGPU UUID: \t ${uuid}\nDevice Minor: \t ${minor}\n`,
    )
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('GPUs in a sandbox', () => {
  it('are exactly the assigned ones, and the files that every program with one needs', () => {
    const binds = gpuBinds(['GPU-bbbb'], places()).map((bind) => [bind.source.slice(root.length), bind.mode])
    expect(binds).toEqual(['nvidia3', 'nvidiactl', 'nvidia-uvm'].map((name) => [`/dev/${name}`, 'device']))
    expect(gpuBinds([], { proc: '/nowhere', dev: '/nowhere' })).toEqual([])
  })

  it('are refused when they have no device file, and never lead to another file', () => {
    for (const uuid of ['GPU-cccc', 'GPU-dddd', 'GPU-none', ''])
      expect(() => gpuBinds([uuid], places()), uuid).toThrow(expect.objectContaining({ code: 'no_capacity' }))
    rmSync(join(root, 'dev/nvidiactl'))
    expect(() => gpuBinds(['GPU-aaaa'], places())).toThrow('no device file')
  })

  it('are not offered where they cannot be given: the filter says that none is free', () => {
    const rows = ['GPU-aaaa', 'GPU-cccc', 'GPU-eeee'].map((uuid, i) => `${i}, ${uuid}, NVIDIA, 1000, 1, 0`).join('\n')
    const devices = parseGpus(rows, { programs: '', inUse: [], nodes: gpuNodes(places()) })
    expect(devices.map((d) => d.state)).toEqual(['free', 'wedged', 'wedged'])
  })
})
