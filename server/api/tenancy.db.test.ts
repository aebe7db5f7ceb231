import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PURPOSES } from '@/domain/tickets'
import { eachProvider } from '@/testing/databases'
import { ask, PATHS, PROCEDURES } from './testing/ask'
import { MATRIX } from './testing/matrix'
import { canaries, everythingBut, makeWorld, type World } from './testing/tenancy-world'
import type { Answer } from './testing/web'

const permissionOf = (path: string) => PROCEDURES.find(([p]) => p === path)?.[1].meta?.permission
const withoutIds = (answer: Answer) => answer.text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')

describe('the tenancy matrix', () => {
  it('T1: has a row for every procedure, and no other', () => {
    expect(Object.keys(MATRIX).sort()).toEqual([...PATHS].sort())
  })

  it('T2: every procedure declares who may call it, and a mutation never with the scope to read', () => {
    expect(
      Object.fromEntries(PROCEDURES.map(([path, { type, meta }]) => [path, `${type}: ${meta?.permission}`])),
    ).toMatchSnapshot()
    for (const [path, { type, meta }] of PROCEDURES) {
      expect([path, ['anyone', 'read', 'write', 'admin', 'browser']]).toEqual([path, expect.arrayContaining([meta?.permission])])
      if (type === 'mutation') expect([path, meta?.permission]).not.toEqual([path, 'read'])
    }
  })

  it('N10: but for sharing, set-up and signing in, no procedure has a word for another person', () => {
    const naming = PROCEDURES.filter(([, { inputs }]) =>
      inputs.some((input) => /"(userId|personId|ownerId|memberId|user|person|email)":/.test(JSON.stringify(wordsOf(input)))),
    )
    expect(naming.map(([path]) => path).sort()).toEqual(['setup.create', 'shares.remove', 'shares.set', 'tokens.signIn'])
  })
})

const wordsOf = (input: z.ZodType) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })

eachProvider('another tenant', (db) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(db())
  })

  it.each(PATHS.filter((path) => MATRIX[path]?.asks === 'foreign'))(
    'T1, T12: %s: does not exist for them, byte for byte, and nothing changes',
    async (path) => {
      const row = MATRIX[path]
      const before = await everythingBut(db(), world)
      const { cookie } = world.stranger
      const foreign = await ask(world.runtime, path, { input: row?.input?.(world), cookie })
      const random = await ask(world.runtime, path, { input: row?.random?.(), cookie })
      expect(foreign.status).toBe(404)
      expect(foreign.berth?.code).toBe('not_found')
      expect(withoutIds(foreign)).toBe(withoutIds(random))
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it.each(PATHS.filter((path) => MATRIX[path]?.asks === 'own'))(
    'N4: %s: they get their own, and nothing of the others',
    async (path) => {
      const before = await everythingBut(db(), world)
      const answer = await ask(world.runtime, path, { input: MATRIX[path]?.input?.(world), cookie: world.stranger.cookie })
      expect([path, answer.status]).toEqual([path, 200])
      for (const text of canaries(world)) expect(answer.text).not.toContain(text)
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it.each(PATHS.filter((path) => permissionOf(path) !== 'anyone'))(
    '%s: asks for a sign-in, and nothing changes',
    async (path) => {
      const before = await everythingBut(db(), world)
      const answer = await ask(world.runtime, path, { input: MATRIX[path]?.input?.(world) })
      expect([path, answer.status, answer.berth?.code]).toEqual([path, 401, 'unauthenticated'])
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it.each(PURPOSES)('a ticket to %s of a foreign workload does not exist', async (purpose) => {
    const input = { workloadId: world.workloads.renamed, purpose }
    expect((await ask(world.runtime, 'workloads.ticket', { input, cookie: world.stranger.cookie })).status).toBe(404)
  })

  it.each(PATHS.filter((path) => MATRIX[path]?.input))(
    'T6, T11: %s takes no field that it does not know and no object for a text, also from the owner',
    async (path) => {
      const input = z.record(z.string(), z.unknown()).parse(MATRIX[path]?.input?.(world))
      const before = await everythingBut(db(), world)
      const texts = Object.entries(input).filter(([, value]) => typeof value === 'string')
      const wrong = [
        ...['tenantId', 'ownerId', 'role', 'state'].map((name) => ({ ...input, [name]: 'owner' })),
        ...texts.flatMap(([name, text]) => [{ not: '' }, [text]].map((value) => ({ ...input, [name]: value }))),
      ]
      for (const asked of wrong) {
        const answer = await ask(world.runtime, path, { input: asked, cookie: world.owner.cookie })
        expect([asked, answer.status, answer.berth?.code]).toEqual([asked, 400, 'invalid'])
      }
      expect(await everythingBut(db(), world)).toBe(before)
    },
  )

  it('the owner can do all of it: the rows above ask for something real', async () => {
    const refused: unknown[] = []
    for (const path of PATHS.filter((p) => MATRIX[p]?.asks === 'foreign' && p !== 'signIns.revoke')) {
      const answer = await ask(world.runtime, path, { input: MATRIX[path]?.input?.(world), cookie: world.owner.cookie })
      if (answer.status !== 200) refused.push([path, answer.text])
    }
    expect(refused).toEqual([])
    const revoked = await ask(world.runtime, 'signIns.revoke', {
      input: { id: world.owner.signInId },
      cookie: world.owner.cookie,
    })
    expect(revoked.status).toBe(200)
  })
})
