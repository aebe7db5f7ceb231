import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type KernelLook, lookAtKernels } from './kernel-look'
import { parseProcess, readProcesses, treeUse } from './process-table'
import { terminalPath } from './terminal-times'
import { type Subject, UseMeter } from './use-meter'

const session: Subject = { placementId: 's', kind: 'session', pid: 10, isFrozen: false }
const notebook: Subject = { placementId: 'n', kind: 'notebook', pid: 10, isFrozen: false }

/** A meter whose machine is moved by hand. */
function world() {
  const now = { ms: 0, cpuMs: 0, terminal: 'a' as string | null, kernels: null as KernelLook | null, looks: 0 }
  const meter = new UseMeter({
    nowMs: () => now.ms,
    counted: () => {
      now.looks += 1
      return { cpuMs: now.cpuMs, memoryBytes: 7 }
    },
    processes: () => [],
    terminal: () => now.terminal,
    kernels: async () => now.kernels,
  })
  /** Time goes on by so many seconds and somebody asks. */
  const later = async (seconds: number, subject: Subject, change: Partial<typeof now> = {}) => {
    Object.assign(now, { ms: now.ms + seconds * 1000, ...change })
    await meter.look([subject])
    return meter.of(subject.placementId)
  }
  return { now, meter, later }
}

describe('the meter', () => {
  it('tells CPU in cores since the look before, and memory', async () => {
    const { later } = world()
    expect(await later(10, session)).toEqual({ use: null, isBusy: true })
    expect((await later(10, session, { cpuMs: 15_000 })).use).toEqual({ cpu: 1.5, memoryBytes: 7, diskBytes: null, gpus: [] })
  })

  it('looks at most every five seconds, whoever asks, and never when nothing is up', async () => {
    const { now, meter, later } = world()
    await later(10, session)
    for (let i = 0; i < 20; i++) await later(0.2, session)
    expect(now.looks).toBe(1)
    await later(2, session)
    expect(now.looks).toBe(2)
    now.ms += 60_000
    await meter.look([])
    expect([now.looks, meter.of('s')]).toEqual([2, { use: null, isBusy: null }])
  })

  it('holds what was busy long enough that no answer misses it, then says idle', async () => {
    const { later } = world()
    await later(10, session)
    expect((await later(40, session)).isBusy).toBe(false)
    expect((await later(10, session, { terminal: 'b' })).isBusy).toBe(true)
    expect((await later(20, session)).isBusy).toBe(true)
    expect((await later(20, session)).isBusy).toBe(false)
    expect((await later(10, session, { cpuMs: 600 })).isBusy).toBe(true)
    expect((await later(40, session, { cpuMs: 2000 })).isBusy).toBe(false)
  })

  it('takes a probe that fails for "not known", and a frozen or ended program for idle', async () => {
    const { later } = world()
    await later(10, session)
    expect((await later(40, session, { terminal: null })).isBusy).toBeNull()
    expect((await later(10, { ...session, isFrozen: true })).isBusy).toBe(false)
    expect((await later(10, { ...session, pid: null })).isBusy).toBe(false)
  })

  it('sees a kernel that computes without using a core, and one that has done something', async () => {
    const { later } = world()
    const idle = { isBusy: false, activity: 'k 1' }
    await later(10, notebook, { kernels: idle })
    expect((await later(40, notebook)).isBusy).toBe(false)
    expect((await later(10, notebook, { kernels: { isBusy: true, activity: 'k 1' } })).isBusy).toBe(true)
    expect((await later(40, notebook, { kernels: idle })).isBusy).toBe(false)
    expect((await later(10, notebook, { kernels: { isBusy: false, activity: 'k 2' } })).isBusy).toBe(true)
    expect((await later(40, notebook, { kernels: null })).isBusy).toBeNull()
  })
})

describe('the process table', () => {
  it('reads a name that looks like other fields', () => {
    const stat = '7 (a) R 1 (b) S 3 7 7 34817 7 0 0 0 0 0 10 20 30 40 20 0 1 0 99 1000 25 0'
    expect(parseProcess(7, stat)).toEqual({ pid: 7, parent: 3, tty: 34817, cpuMs: 1000, memoryBytes: 25 * 4096 })
  })

  it('sums a process with everything below it and nothing else', async () => {
    const child = spawn('sh', ['-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo done; read x'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const rows = readProcesses()
    const own = treeUse(rows, child.pid ?? 0)
    expect(own.cpuMs).toBeGreaterThan(0)
    expect(own.memoryBytes).toBeGreaterThan(100_000)
    expect(treeUse(rows, process.pid).memoryBytes).toBeGreaterThan(own.memoryBytes)
    expect(treeUse(rows, -5)).toEqual({ cpuMs: 0, memoryBytes: 0 })
    child.kill()
  })

  it('names the device of a pseudo-terminal, and of nothing else', () => {
    expect([terminalPath((136 << 8) | 5), terminalPath((137 << 8) | 1), terminalPath((4 << 8) | 1), terminalPath(0)]).toEqual([
      '/dev/pts/5',
      '/dev/pts/257',
      null,
      null,
    ])
  })
})

describe('the question to a notebook’s server', () => {
  it('asks with the token and without leaving a trace, and understands only what is an answer', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'k-'))
    const path = join(dir, 's')
    const asked: string[] = []
    const answers = [
      JSON.stringify([
        { id: 'k', execution_state: 'busy', last_activity: 't1' },
        { id: 'a', execution_state: 'idle', last_activity: 't0' },
      ]),
      '<html>',
      '[{"id": 1}]',
      `["${'x'.repeat(2_000_000)}"]`,
    ]
    const server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`)
      response.end(answers.shift())
    })
    await new Promise<void>((resolve) => server.listen(path, resolve))
    expect(await lookAtKernels({ path, secret: 'x' })).toEqual({ isBusy: true, activity: 'a t0\nk t1' })
    for (let i = 0; i < 3; i++) expect(await lookAtKernels({ path, secret: null })).toBeNull()
    expect(asked.slice(0, 2)).toEqual(['/api/kernels?no_track_activity=1 token x', '/api/kernels?no_track_activity=1 undefined'])
    server.close()
    expect(await lookAtKernels({ path: join(dir, 'nobody'), secret: null })).toBeNull()
    rmSync(dir, { recursive: true })
  })
})
