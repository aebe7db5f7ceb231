import { expect, it } from 'vitest'
import { runStep } from './build-step'

it('a full disk costs a step its log, never its end or the lines that are shown', async () => {
  const lines: string[] = []
  const options = { logFile: '/dev/full', signal: new AbortController().signal, line: (text: string) => lines.push(text) }
  const command = ['/bin/sh', '-c', 'echo one; echo two >&2; exit 3']
  expect(await runStep({ command, timeoutMs: 10_000 }, options)).toBe('failed')
  expect(lines.sort()).toEqual(['one', 'two'])
})
