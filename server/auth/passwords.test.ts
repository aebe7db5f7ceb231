import { describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { hashPassword, verifyPassword } from './passwords'

describe('passwords', () => {
  it('P9: are argon2id with 19 MiB, two passes, and verify', async () => {
    const hash = await hashPassword('correct horse battery')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(hash, 'correct horse battery')).toBe(true)
    expect(await verifyPassword(hash, 'correct horse batterz')).toBe(false)
  })

  it('A3: do the same work for an account that does not exist, and say no', async () => {
    const hash = await hashPassword('correct horse battery')
    const [known, unknown]: [number[], number[]] = [[], []]
    // In turn, so that a machine that is busy for a while is so for both.
    for (let n = 0; n < 9; n++) {
      known.push(await timeOf(() => verifyPassword(hash, 'wrong password here')))
      unknown.push(await timeOf(() => verifyPassword(null, 'wrong password here')))
    }
    expect(await verifyPassword(null, '')).toBe(false)
    expect(median(unknown)).toBeGreaterThan(median(known) / 3)
  })

  it('A4: of more than 128 characters are refused without hashing', async () => {
    const long = 'x'.repeat(2 ** 20)
    const refuse = async () => {
      await expect(verifyPassword(null, long)).rejects.toMatchObject({ code: 'invalid', args: { field: 'password' } })
      await expect(hashPassword(long)).rejects.toMatchObject({ code: 'invalid' })
    }
    const times = []
    for (let n = 0; n < 9; n++) times.push(await timeOf(refuse))
    expect(Math.min(...times)).toBeLessThan(20)
  })

  it('A4: of 500 at once: 34 are looked at, the rest get over_limit at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 500 }, () => verifyPassword(null, 'some wrong password')))
    const refused = results.filter((r) => r.status === 'rejected')
    expect(refused).toHaveLength(500 - 2 - LIMITS.hashQueueMax)
    expect(refused[0]).toMatchObject({ reason: { code: 'over_limit', status: 429, args: { retrySeconds: 2 } } })
  })
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
