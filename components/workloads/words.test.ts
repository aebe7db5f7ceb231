import { describe, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { WorkloadView } from '@/domain/views'
import { viewOf } from '@/testing/workload-view'
import { ordinal, progressText, reasonSentence, whatDiffers } from './words'

const NOW = Date.UTC(2026, 2, 12, 14, 36)
const busy = because('waiting_all_busy', { class: 'l40s-48gb', devices: 2, free: 1, machines: 3, position: 2 })

function view(patch: Partial<WorkloadView>): WorkloadView {
  const at = new Date(NOW - 60_000)
  return viewOf({ name: 'segment-train', state: 'queued', workloadGen: 0, stateSince: at, createdAt: at, ...patch })
}

describe('what differs', () => {
  it('leads with the place in the queue', () => {
    expect(whatDiffers(view({ reason: busy }), NOW)).toEqual({
      text: '2nd in the queue; asked 2 GPUs, 1 free',
      needsSomeone: false,
    })
  })

  it('leads with the numbers and does not repeat the state', () => {
    const cpu = because('waiting_cpu', { asked: 4, free: 1, total: 8 })
    expect(whatDiffers(view({ reason: cpu }), NOW).text).toBe('1 of 8 free; asked 4 CPUs')
    const away = because('waiting_machine_away', { machine: 'mara-mbp' })
    expect(whatDiffers(view({ reason: away }), NOW)).toEqual({
      text: 'It holds the workspace and cannot be reached',
      needsSomeone: true,
    })
  })

  it('leads with what failed, which a narrow cell would cut off', () => {
    const failed = view({ state: 'failed', reason: because('environment_failed', { package: 'numpyy' }) })
    expect(whatDiffers(failed, NOW).text).toBe('numpyy: its environment could not be built')
  })

  it('says that a machine is silent before anything else, and that nothing is stopped', () => {
    const reach = { machineId: 'm', machineName: 'rack-1', isConnected: false, lastContactAt: new Date(NOW - 48_000) }
    const silent = view({ state: 'running', reason: because('started', {}), reach })
    expect(whatDiffers(silent, NOW)).toEqual({ text: 'rack-1 silent for 48 s; nothing is stopped', needsSomeone: true })
  })

  it('leads with a stop that is near, since when nothing happens, and that it needs someone', () => {
    const idle = view({
      state: 'running',
      stopAt: new Date(NOW + 8 * 60_000),
      stopWhy: 'idle',
      lastBusyAt: new Date(NOW - 22 * 60_000),
    })
    expect(whatDiffers(idle, NOW)).toEqual({
      text: 'Parks in 8 min. Nothing happened inside for 22 min. Its workspace is kept.',
      needsSomeone: true,
    })
  })

  it('shows progress with its unit', () => {
    const progress = { stage: 'packages', detail: 'numpy', done: 12, total: 40, unit: 'packages' } as const
    expect(progressText(progress)).toBe('Installing packages: numpy, 12 of 40 packages')
    expect(whatDiffers(view({ state: 'provisioning', progress }), NOW).text).toBe(progressText(progress))
    const bytes = { stage: 'environment', detail: null, done: 61 * 2 ** 20, total: 148 * 2 ** 20, unit: 'bytes' } as const
    expect(progressText(bytes)).toBe('Making its environment, 61 MiB of 148 MiB')
  })

  it('says how long it is up when nothing else differs', () => {
    const running = view({ state: 'running', reason: because('started', {}), stateSince: new Date(NOW - 4 * 3_600_000) })
    expect(whatDiffers(running, NOW)).toEqual({ text: 'Up for 4 h', needsSomeone: false })
  })

  it('keeps the letters of a name that a sentence begins with', () => {
    expect(reasonSentence(because('machine_lost_it', { machine: 'k8s-lab' }))).toBe('k8s-lab is back and no longer has it')
    expect(reasonSentence(because('parked', {}))).toBe('Stopped; its workspace is kept')
  })

  it('names the exit code of a process that ended in a running session', () => {
    expect(whatDiffers(view({ state: 'running', exitCode: 1 }), NOW)).toEqual({
      text: 'Its process ended with exit code 1',
      needsSomeone: true,
    })
  })
})

it('writes ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
  ])
})
