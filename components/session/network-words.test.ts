import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { WorkloadEvent } from '@/domain/workloads'
import { NOW } from '@/testing/candidates'
import { allowLine, egressWords, freshRefusal, refusedHosts, timesWords, whyRefused } from './network-words'

const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const refused = (seq: number, host: string, count?: number): WorkloadEvent => ({
  ...{ id: `e${seq}`, workloadId: 'w', seq, at: after(seq), from: null, to: null, actor: 'machine' },
  reason: count === undefined ? because('egress_denied', { host }) : because('egress_denied_often', { host, count }),
})
const started: WorkloadEvent = { ...refused(9, ''), reason: because('started', {}) }

it('counts refusals by host, the latest first, in whatever order they come', () => {
  const events = [refused(3, 'b.example:443', 2), refused(1, 'a.example:443'), started, refused(2, 'b.example:443')]
  const expected = [
    { host: 'b.example:443', times: 2, lastAt: after(3), lastSeq: 3 },
    { host: 'a.example:443', times: 1, lastAt: after(1), lastSeq: 1 },
  ]
  expect(refusedHosts(events)).toEqual(expected)
  expect(refusedHosts([...events].reverse())).toEqual(expected)
})

it.each([
  { what: 'it is new', dismissed: 0, minutes: 4, isSaid: true },
  { what: 'it was put away', dismissed: 3, minutes: 4, isSaid: false },
  { what: 'it is old', dismissed: 0, minutes: 30, isSaid: false },
])('a refusal is said above the terminal: $what', ({ dismissed, minutes, isSaid }) => {
  const hosts = refusedHosts([refused(3, 'b.example:443')])
  expect(freshRefusal(hosts, dismissed, after(minutes).getTime()) !== null).toBe(isSaid)
})

it('says of addresses of the own network that they are never reachable, of all others that they are not on the list', () => {
  const own = [
    'localhost:80',
    '127.0.0.1',
    '10.0.4.18:443',
    '172.20.0.1',
    '192.168.1.5',
    '169.254.169.254',
    '[::1]:80',
    'fd00::1',
    'fe80::1',
  ]
  const others = [
    'npm.example:443',
    '172.32.0.1',
    '100.example',
    'localhost.example',
    'fda.example',
    '11.0.0.1',
    'fcc.example:443',
  ]
  expect(own.filter((host) => !whyRefused(host).includes('never reachable'))).toEqual([])
  expect(others.filter((host) => !whyRefused(host).includes('not on the list'))).toEqual([])
})

it.each([
  ['adds the host without its port', ['npm.example:443'], 'egress: { open: false, allow: ["git.example", "npm.example"] }'],
  ['has each host once', ['a.example:443', 'a.example:80'], 'egress: { open: false, allow: ["git.example", "a.example"] }'],
  ['cannot allow the own network, another port, or a bare address', ['10.0.4.18:443', 'a.example:22', '11.0.0.1:443'], null],
  ['is not needed for what is on the list meanwhile', ['git.example:443'], null],
])('the line that allows what was refused %s', (_, hosts, line) => {
  const rows = hosts.map((host, i) => ({ host, times: 1, lastAt: NOW, lastSeq: i }))
  expect(allowLine({ open: false, allow: ['git.example'] }, rows)).toBe(line)
})

it('says what a runtime may reach, and how often', () => {
  expect(egressWords({ open: true, allow: [] })).toContain('Every public address')
  expect(egressWords({ open: false, allow: [] })).toBe('The package registries of its machine; everything else is refused')
  expect(egressWords({ open: false, allow: ['a', 'b'] })).toBe(
    'The package registries of its machine and 2 hosts; everything else is refused',
  )
  expect([1, 2, 3].map(timesWords)).toEqual(['once', 'twice', '3 times'])
})
