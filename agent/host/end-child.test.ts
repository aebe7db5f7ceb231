import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { endChild } from './end-child'

it.each([
  ['terminal', false],
  ['terminal', true],
  ['service', false],
  ['service', true],
] as const)('X64: a %s that ended long ago signals nobody that has its number now (sandbox: %s)', async (kind, isSandboxed) => {
  const stranger = spawn('/bin/sh', ['-c', 'cat; exit 0'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const says = async (text: string) => {
    stranger.stdin.write(text)
    return String((await Promise.race([once(stranger.stdout, 'data'), once(stranger, 'exit')]))[0])
  }
  expect(await says('there')).toBe('there') // its own child runs
  const started = { pid: stranger.pid ?? 0, start: '1' }
  const marker = `SESSION_PLACEMENT=${stranger.pid}-nobody`
  await endChild({ kind, started, sandboxInit: isSandboxed ? started : null, marker, ended: Promise.resolve() }, 1000)
  expect(await says('still there')).toBe('still there')
  stranger.stdin.end()
  expect((await once(stranger, 'exit'))[0]).toBe(0)
})
