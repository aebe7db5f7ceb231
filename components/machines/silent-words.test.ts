import { expect, it } from 'vitest'
import { NOW } from '@/testing/candidates'
import { machineViewOf } from '@/testing/machine-view'
import { givingUpPoints, silentWords } from './silent-words'

const silent = (seconds: number, region = 'desks') =>
  silentWords(machineViewOf('rack-1', { region, isConnected: false, lastContactAt: NOW }), NOW.getTime() + seconds * 1000)

it('says of a silent machine that nothing is stopped, and offers to give up only what may really be gone', () => {
  expect(silent(7200)).toMatchObject({ title: 'rack-1 is silent for 2 h', canGiveUp: true })
  expect(silent(20)?.canGiveUp).toBe(false)
  expect(silent(7200, 'local')).toMatchObject({ canGiveUp: false, text: expect.stringContaining('by itself') })
})

it('says nothing of a machine that answers, or that was never heard of', () => {
  expect(silentWords(machineViewOf('rack-1', { isConnected: true, lastContactAt: NOW }), NOW.getTime())).toBeNull()
  expect(silentWords(machineViewOf('rack-1', { isConnected: false, lastContactAt: null }), NOW.getTime())).toBeNull()
})

it.each([
  [0, 'Whatever it ran is lost'],
  [1, 'The workload there is lost'],
  [3, 'The 3 workloads there are lost'],
])('names what is lost of %i', (here, words) => {
  expect(givingUpPoints('rack-1', here)[0]).toMatch(words)
})
