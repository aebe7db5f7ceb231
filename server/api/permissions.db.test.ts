import { beforeAll, expect, it } from 'vitest'
import { ROLES, type Role } from '@/domain/kinds'
import { isAllowed, type Relation, SHARE_LEVELS } from '@/domain/permissions'
import { createWorkload } from '@/server/service/workloads'
import { putShare } from '@/server/store/shares'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMember } from '@/testing/seed'
import { ask, PATHS } from './testing/ask'
import { MATRIX, type May } from './testing/matrix'
import { makeWorld, type World } from './testing/tenancy-world'
import { browserOf } from './testing/web'

type Someone = { role: Role; relation: Relation; workloadId: string; cookie: string }
const RELATIONS: readonly Relation[] = ['own', ...SHARE_LEVELS, 'other']

/** 404 when they may not even see it, 403 when they may not do this, else null. */
function refusalOf(may: May, { role, relation }: Someone): 403 | 404 | null {
  if (typeof may === 'string') return REFUSED[may].includes(role) ? 403 : null
  if (!isAllowed(role, relation, 'workload.view')) return 404
  return isAllowed(role, relation, may.action) ? null : 403
}
/** None of these people owns the machine or runs the installation. */
const REFUSED: Record<Extract<May, string>, readonly Role[]> = {
  everybody: [],
  creators: ['viewer'],
  'machine-owner': ROLES,
  operator: ROLES,
}

eachProvider('every role and relation', (db) => {
  let world: World
  const everyone: Someone[] = []
  beforeAll(async () => {
    world = await makeWorld(db())
    everyone.length = 0
    for (const role of ROLES) for (const relation of RELATIONS) everyone.push(await someoneNew(role, relation))
  })

  async function someoneNew(role: Role, relation: Relation): Promise<Someone> {
    const { seed } = world.owner
    const person = await seedMember(db(), seed, role)
    const { cookie } = await browserOf(world.runtime, person.id)
    if (relation === 'own') {
      const { id: workloadId } = await createWorkload(ctxFor(db(), seed), createInput())
      await db().workload.update({ where: { id: workloadId }, data: { ownerId: person.id } })
      return { role, relation, workloadId, cookie }
    }
    const workloadId = world.workloads.running
    const share = { id: crypto.randomUUID(), workloadId, userId: person.id, at: new TestClock().now() }
    if (relation !== 'other') await putShare(db(), seed.tenantId, { ...share, level: relation })
    return { role, relation, workloadId, cookie }
  }

  it('N10: what belongs to one person is read and ended by nobody else of the tenant, whatever their role', async () => {
    const { owner, runtime } = world
    for (const { role, cookie } of everyone.filter(({ relation }) => relation === 'other')) {
      for (const [path, id] of [
        ['tokens.revoke', owner.tokenId],
        ['signIns.revoke', owner.signInId],
      ] as const)
        expect([role, path, (await ask(runtime, path, { input: { id }, cookie })).berth?.code]).toEqual([role, path, 'not_found'])
      for (const path of ['tokens.list', 'signIns.list', 'me.get']) {
        const { status, text } = await ask(runtime, path, { input: undefined, cookie })
        expect([role, path, status]).toEqual([role, path, 200])
        for (const own of [owner.tokenId, owner.signInId]) expect(text).not.toContain(own)
      }
    }
    const mine = await ask(runtime, 'tokens.list', { input: undefined, cookie: owner.cookie })
    expect(mine.text).toContain(owner.tokenId)
  })

  it.each(PATHS)('T2: %s is refused to those whom the table refuses it, and to nobody else', async (path) => {
    const row = MATRIX[path]
    if (!row) throw new Error('no row in the matrix')
    const wrong: unknown[] = []
    // What names no workload is the same question whatever somebody is to one: once for each role.
    const asking = typeof row.may === 'string' ? everyone.filter(({ relation }) => relation === 'other') : everyone
    for (const someone of asking) {
      const input = typeof row.may === 'string' ? row.input?.(world) : row.may.input(someone.workloadId)
      const { status } = await ask(world.runtime, path, { input, cookie: someone.cookie })
      const refusals = typeof row.may === 'string' ? [401, 403] : [401, 403, 404]
      const seen = refusals.includes(status) ? status : null
      const expected = refusalOf(row.may, someone)
      if (seen !== expected) wrong.push({ ...someone, status, expected })
    }
    expect(wrong).toEqual([])
  })
})
