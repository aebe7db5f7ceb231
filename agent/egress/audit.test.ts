import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAudit } from './audit'

it('rotates by size and keeps four files, readable by nobody else', () => {
  const dir = mkdtempSync(join(tmpdir(), 'audit-'))
  const audit = openAudit(dir, { now: () => new Date(0), fileBytesMax: 400 })
  const line = {
    id: 'a',
    verb: 'CONNECT',
    host: 'x.example',
    port: 443,
    decision: 'deny',
    reason: 'host',
    address: null,
  } as const
  for (let i = 0; i < 40; i++) audit.write(line)
  audit.close()
  const names = readdirSync(dir).sort()
  expect(names.length).toBeLessThanOrEqual(4)
  for (const name of names) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  rmSync(dir, { recursive: true })
})
