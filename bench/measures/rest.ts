import { readdirSync, readFileSync } from 'node:fs'
import type { Measure } from '../lib/bench'
import { wait } from '../lib/process'

const SETTLE_MS = 20_000
const WATCH_MS = 30_000
/** Clock ticks a second, as the kernel tells them to every program. */
const TICKS = 100

/** Web, controller and agent with nobody there and nothing running. */
export const atRest: Measure = async ({ berth, say }) => {
  say(`resting ${(SETTLE_MS + WATCH_MS) / 1000} s`)
  await wait(SETTLE_MS)
  const { web, controller } = berth.pids()
  const agent = childrenOf(controller).find((pid) => commandOf(pid).includes('agent.mjs')) ?? 0
  const all = { web, controller, agent }
  const before = ticksOf(Object.values(all))
  await wait(WATCH_MS)
  const cpu = ((ticksOf(Object.values(all)) - before) / TICKS / (WATCH_MS / 1000)) * 100
  const parts = Object.entries(all).map(([name, pid]) => ({ name: `rest_pss_${name}`, value: pssOf(pid), unit: 'MB', goal: '-' }))
  return [
    { name: 'rest_pss', value: parts.reduce((sum, p) => sum + p.value, 0), unit: 'MB', goal: '<=300' },
    ...parts,
    { name: 'rest_cpu', value: cpu, unit: '%', goal: '<=2' },
  ]
}

/** Proportional set size in megabytes (10^6). */
function pssOf(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

function ticksOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return sum + Number(fields[11]) + Number(fields[12])
  }, 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(Boolean)
    .map(Number)
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}
