import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { counted } from './open-streams'

it('L2: one person has at most so many subscriptions open, another is not held up, and one that ended makes room', async () => {
  async function* endless() {
    for (;;) yield 'change'
  }
  const begin = async (userId: string) => {
    const stream = counted(userId, endless())
    await stream.next()
    return stream
  }
  const open = []
  for (let i = 0; i < LIMITS.streamsPerUser; i++) open.push(await begin('mara'))
  const refused = { cause: { code: 'over_limit', args: { limit: 'open subscriptions', max: LIMITS.streamsPerUser } } }
  await expect(begin('mara')).rejects.toMatchObject(refused)
  open.push(await begin('noor'))
  await open[0]?.return()
  open.push(await begin('mara'))
  await expect(begin('mara')).rejects.toMatchObject(refused)
  for (const stream of open) await stream.return()
})
