import { describe, expect, it } from 'vitest'
import { askOf, box, candidateOf, GIB, l40s, machineOf, NOW, withGpus } from '@/testing/candidates'
import { explainWait } from './funnel'
import type { Candidate } from './placement'
import { reasonText } from './reasons'

const twoMinutesAgo = new Date(NOW.getTime() - 125_000)

describe('the reason of a wait', () => {
  const away = (name: string) => candidateOf(machineOf(name, { isConnected: false, lastContactAt: twoMinutesAgo }))

  it.each<[string, ReturnType<typeof askOf>, Candidate[], string]>([
    ['nothing joined', askOf(), [], 'waiting: no machine has joined yet'],
    ['all away', askOf(), [away('a'), away('b')], 'waiting: none of 2 machines can be reached and takes work'],
    [
      'nothing shared',
      askOf(),
      [candidateOf(machineOf('a', { ownerId: 'x', sharing: 'owner' }))],
      'no machine is shared with you',
    ],
    [
      'no machine allows its folders',
      askOf({ mounts: [{ path: '/home/m' }] }),
      [box(), away('a')],
      'no machine of yours allows the folders that it asks for',
    ],
    ['no such class exists', askOf(l40s(1)), [box()], 'waiting for l40s-48gb: none of 1 machine has one'],
    [
      'no GPU at all',
      askOf({ gpu: { class: null, count: 1 } }),
      [box('a'), box('b')],
      'waiting for a GPU: none of 2 machines has one',
    ],
    [
      'the class is on a machine that is away',
      askOf(l40s(1)),
      [box('a'), candidateOf({ ...withGpus('b', 'l40s-48gb', ['free']).machine, isConnected: false })],
      'waiting for l40s-48gb: 1 machine has it, but cannot take this now',
    ],
    [
      'all busy',
      askOf(l40s(2)),
      [withGpus('a', 'l40s-48gb', ['free', 'busy']), withGpus('b', 'l40s-48gb', ['busy', 'busy'])],
      'waiting for l40s-48gb: asked 2, 1 free on 2 machines; number 3 in the queue',
    ],
    [
      'more GPUs than any machine has',
      askOf(l40s(4)),
      [withGpus('a', 'l40s-48gb', ['free', 'free'])],
      'asks for 4 × l40s-48gb; the largest machine that could take it has 2',
    ],
    ['CPUs busy', askOf({ cpus: 8 }), [candidateOf(machineOf('a'), { cpus: 6 })], 'waiting for 8 CPUs: 2 of 8 free'],
    [
      'more CPUs than any machine has',
      askOf({ cpus: 64 }),
      [box()],
      'asks for 64 CPUs; the largest machine that could take it has 8',
    ],
    [
      'memory busy',
      askOf({ memoryBytes: 30 * GIB }),
      [candidateOf(machineOf('a'), { memoryBytes: 8 * GIB })],
      'waiting for 30 GiB of memory: 24 GiB of 32 GiB free',
    ],
    [
      'more memory than any machine has',
      askOf({ memoryBytes: 64 * GIB }),
      [box()],
      'asks for 64 GiB of memory; the largest machine that could take it has 32 GiB',
    ],
    ['disk busy', askOf({ diskBytes: 90 * GIB }), [box()], 'waiting for 90 GiB of disk: 80 GiB free'],
    [
      'more disk than any machine has',
      askOf({ diskBytes: 200 * GIB }),
      [box()],
      'asks for 200 GiB of disk; the largest machine that could take it has 100 GiB',
    ],
    [
      'its machine is away',
      askOf({}, { pinnedMachineId: 'b' }),
      [box('a'), away('b')],
      'waiting for b: it holds the workspace and cannot be reached',
    ],
    [
      'its machine is draining',
      askOf({}, { pinnedMachineId: 'b' }),
      [candidateOf(machineOf('b', { state: 'draining' }))],
      'waiting for b: it takes no new work now',
    ],
    [
      'its machine is full though others are free',
      askOf({ cpus: 8 }, { pinnedMachineId: 'b' }),
      [box('a'), candidateOf(machineOf('b'), { cpus: 1 })],
      'waiting for 8 CPUs: 7 of 8 free',
    ],
    [
      'its machine left',
      askOf({}, { pinnedMachineId: 'gone' }),
      [box()],
      'waiting: the machine that it needs is not part of Berth any more',
    ],
    ['no driver', askOf({ runtime: 'nope' }), [box()], 'no machine can run nope (1 looked at)'],
  ])('is exact when %s', (...[, ask, candidates, text]) => {
    expect(reasonText(explainWait(ask, candidates, 3))).toBe(text)
  })

  it('tells of the machine that came furthest, not of the first', () => {
    const reason = explainWait(askOf({ cpus: 8 }), [away('a'), candidateOf(machineOf('b'), { cpus: 7 })], 1)
    expect(reasonText(reason)).toBe('waiting for 8 CPUs: 1 of 8 free')
  })
})
