import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '@/testing/until'
import { lockDataDirectory } from './data-lock'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'berth-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))
const lockFile = () => path.join(directory, 'lock')

describe('lockDataDirectory', () => {
  it('is held by one, refused to a second with one sentence, and given back', () => {
    const release = lockDataDirectory(directory)
    expect(() => lockDataDirectory(directory)).toThrow(
      `another Berth (process ${process.pid}) uses the data directory ${directory}`,
    )
    release()
    expect(existsSync(lockFile())).toBe(false)
    lockDataDirectory(directory)()
  })

  it('is taken over from a process that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const { pid } = child
    writeFileSync(lockFile(), readFileSync(lockOf(pid ?? 0)))
    expect(() => lockDataDirectory(directory)).toThrow(`process ${pid}`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataDirectory(directory)()
  })

  it('is taken over from a process that was killed and whose parent does not ask how it ended', async () => {
    // The shell becomes a program that knows nothing of the child that it has.
    const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [said] = await once(parent.stdout, 'data')
    const pid = Number(said)
    writeFileSync(lockFile(), readFileSync(lockOf(pid)))
    expect(() => lockDataDirectory(directory)).toThrow(`process ${pid}`)
    process.kill(pid, 'SIGKILL')
    await until('it has ended', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
    lockDataDirectory(directory)()
    parent.kill('SIGKILL')
  })

  it('is taken over from another process that got the number of the old one', () => {
    const release = lockDataDirectory(directory)
    const mine = JSON.parse(readFileSync(lockFile(), 'utf8'))
    release()
    for (const stale of [
      { ...mine, startedAt: '1' },
      { ...mine, bootId: 'an earlier boot' },
    ]) {
      if (process.platform !== 'linux' && stale.bootId !== mine.bootId) continue
      writeFileSync(lockFile(), JSON.stringify(stale))
      lockDataDirectory(directory)()
    }
  })

  it.each(['', 'not json', '{}', '{"pid":"1"}'])('is taken over when it holds %j', (text) => {
    writeFileSync(lockFile(), text)
    lockDataDirectory(directory)()
  })

  it('is not given back by somebody else', () => {
    const release = lockDataDirectory(directory)
    writeFileSync(lockFile(), 'another')
    release()
    expect(readFileSync(lockFile(), 'utf8')).toBe('another')
  })
})

/** The lock that a process with this number would hold, written by a lock of a folder of its own. */
function lockOf(pid: number): string {
  const other = path.join(directory, `of-${pid}`)
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  writeFileSync(other, JSON.stringify({ pid, startedAt, bootId }))
  return other
}
