import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readBootId } from './boot-id'
import { processStart } from './process-start'
import { devicesInUse, type HeldInstance, openState } from './state'
import { sampleSpec } from './testing/sample-spec'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'berth-state-')), 'agent')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const held = (change: Partial<HeldInstance> = {}): HeldInstance => ({
  spec: sampleSpec(),
  isStarted: false,
  refused: null,
  isRemoved: false,
  ...change,
})

describe('the state of the agent', () => {
  it('is there again after a restart, in a folder for this user alone', async () => {
    const state = await openState(folder)
    const [a, b] = [held(), held()]
    await state.update(a.spec.placementId, () => a)
    await state.update(b.spec.placementId, () => b)
    await state.update(a.spec.placementId, () => null)
    expect((await openState(folder)).held()).toEqual([b])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'known', `${b.spec.placementId}.json`)).mode & 0o777).toBe(0o600)
  })

  it('loses no change when two come at once', async () => {
    const state = await openState(folder)
    const first = held()
    const id = first.spec.placementId
    await Promise.all([
      state.update(id, () => first),
      state.update(id, (now) => now && { ...now, isStarted: true }),
      state.update(id, (now) => now && { ...now, isRemoved: true }),
    ])
    expect(state.get(id)).toMatchObject({ isStarted: true, isRemoved: true })
    expect((await openState(folder)).get(id)).toMatchObject({ isStarted: true, isRemoved: true })
  })

  it('sweeps away a write that was cut', async () => {
    await openState(folder)
    writeFileSync(join(folder, 'known', 'x.json.1.1.tmp'), '{"spec":')
    expect((await openState(folder)).held()).toEqual([])
    expect(readdirSync(join(folder, 'known'))).toEqual([])
  })

  it.runIf(process.getuid?.() === 0)('X43: takes an order to end on a full disk, and no other', async () => {
    const tool = (...[name = '', ...args]: string[]) => execFileSync(name, args)
    mkdirSync(folder)
    tool('mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', folder)
    try {
      const state = await openState(folder)
      const [known, other] = [held(), held()]
      const { placementId } = known.spec
      await state.update(placementId, () => known)
      expect(() => writeFileSync(join(folder, 'filling'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
      await expect(state.update(other.spec.placementId, () => other)).rejects.toThrow('ENOSPC')
      await state.update(placementId, (now) => now && { ...now, spec: { ...now.spec, want: 'remove' } })
      expect(state.get(placementId)?.spec.want).toBe('remove')
      await state.update(placementId, () => null)
      expect((await openState(folder)).held()).toEqual([])
    } finally {
      tool('umount', '-l', folder)
    }
  })

  it('counts the GPUs of what was started and not yet removed', async () => {
    const state = await openState(folder)
    const rows = [
      held({ spec: sampleSpec({ devices: ['gpu-a'] }), isStarted: true }),
      held({ spec: sampleSpec({ devices: ['gpu-b'] }) }),
      held({ spec: sampleSpec({ devices: ['gpu-c'] }), isStarted: true, isRemoved: true }),
    ]
    await Promise.all(rows.map((row) => state.update(row.spec.placementId, () => row)))
    expect(devicesInUse(state)).toEqual(['gpu-a'])
  })
})

describe('what names a process and a boot', () => {
  it('is the same each time, and nothing for what is not there', () => {
    expect(readBootId()).toBe(readBootId())
    expect(readBootId().length).toBeGreaterThan(8)
    expect(processStart(process.pid)).toBe(processStart(process.pid))
    expect(processStart(process.pid)).not.toBe(processStart(process.ppid))
    expect(processStart(2 ** 22 - 1)).toBeNull()
  })
})
