import { readdirSync, readFileSync } from 'node:fs'
import type { Measure } from '../lib/bench'
import { wait } from '../lib/process'

const SETTLE_MS = 60_000
const WATCH_MS = 60_000
/** Clock ticks a second, as the kernel tells them to every program. */
const TICKS = 100

/** Web, controller and agent with nobody there and nothing running. */
export const atRest: Measure = async ({ berth, say }) => {
  say(`resting ${(SETTLE_MS + WATCH_MS) / 1000} s`)
  await wait(SETTLE_MS)
  const { web, controller } = berth.pids()
  const agent = childrenOf(controller).find((pid) => commandOf(pid).includes('agent.mjs')) ?? 0
  const all = { web, controller, agent }
  const before = Object.values(all).map(ticksOf)
  await wait(WATCH_MS)
  const after = Object.values(all).map(ticksOf)
  const cpu = after.map((ticks, i) => ((ticks - (before[i] ?? 0)) / TICKS / (WATCH_MS / 1000)) * 100)
  const pss = Object.values(all).map(pssOf)
  return [
    ...withParts({ name: 'rest_pss', unit: 'MB', goal: '<=300' }, Object.keys(all), pss),
    ...withParts({ name: 'rest_cpu', unit: '%', goal: '<=2' }, Object.keys(all), cpu),
  ]
}

/** The sum, which has the goal, and what each process takes of it. */
function withParts(line: { name: string; unit: string; goal: string }, names: readonly string[], values: readonly number[]) {
  const { name, unit } = line
  const parts = values.map((value, i) => ({ name: `${name}_${names[i]}`, value, unit, goal: '-' }))
  return [{ ...line, value: values.reduce((sum, value) => sum + value, 0) }, ...parts]
}

/** Proportional set size in megabytes (10^6). */
function pssOf(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
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
