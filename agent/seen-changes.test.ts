import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SeenChanges } from './seen-changes'

it('what was seen is remembered across the agent’s end, and never falls', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seen-'))
  const seen = await SeenChanges.open(folder)
  seen.saw(7)
  seen.saw(3)
  expect(seen.count).toBe(7)
  const ending = new AbortController()
  const running = seen.run(ending.signal)
  ending.abort()
  await running
  expect((await SeenChanges.open(folder)).count).toBe(7)
  rmSync(folder, { recursive: true })
})
