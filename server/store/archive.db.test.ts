import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createWorkload } from '@/server/service/workloads'
import { TestClock } from '@/testing/clock'
import { freshDatabase, PROVIDERS } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { archiveOldEvents } from './archive'

const DAY_MS = 86_400_000

describe.each(PROVIDERS)('the archive on %s', (provider) => {
  it('takes out what is older than 90 days, whole and in order, and leaves the timeline append-only', async () => {
    const { db, url, drop } = await freshDatabase(provider)
    const folder = mkdtempSync(path.join(tmpdir(), 'berth-archive-'))
    const clock = new TestClock()
    const ctx = ctxFor(db, await seedTenant(db), { clock })
    const ids: string[] = []
    for (let day = 0; day < 5; day++) {
      ids.push((await createWorkload(ctx, createInput())).id)
      clock.advance(DAY_MS)
    }
    const now = new Date(ctx.now().getTime() + 86 * DAY_MS + 1) // the first two are 91 and 90 days old
    const segments = await archiveOldEvents(url, folder, now)
    expect(segments).toHaveLength(1)
    const [file = ''] = segments
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      ids.slice(0, 2).map((workload_id) => ({ workload_id, seq: 1, code: 'created', to_state: 'queued' })),
    )
    expect(await db.workloadEvent.count()).toBe(3)
    expect(await archiveOldEvents(url, folder, now)).toEqual([])
    await expect(db.workloadEvent.deleteMany()).rejects.toThrow()
    await expect(db.workloadEvent.updateMany({ data: { code: 'x' } })).rejects.toThrow()
    rmSync(folder, { recursive: true, force: true })
    await drop()
  })
})
