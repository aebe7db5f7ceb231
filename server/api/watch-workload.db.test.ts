import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WorkloadView } from '@/domain/views'
import type { Workload } from '@/domain/workloads'
import type { Runtime } from '@/server/auth/runtime'
import type { Person } from '@/server/service/ctx'
import { deleteWorkload } from '@/server/service/deletion'
import { renameWorkload } from '@/server/service/operations'
import { removeShare, setShare } from '@/server/service/shares'
import { createWorkload } from '@/server/service/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, type Seed, seedMember, seedTenant } from '@/testing/seed'
import { contextOf } from './context'
import { browserOf, runtimeFor } from './testing/web'
import { watchWorkload } from './watch-workload'

eachProvider('workloads.watch', (db) => {
  let seed: Seed
  let runtime: Runtime
  let workload: Workload
  const open: AsyncGenerator<unknown>[] = []
  const shutdown = globalThis as { berthShutdown?: AbortController }

  beforeEach(async () => {
    shutdown.berthShutdown = new AbortController()
    runtime = runtimeFor(db())
    seed = await seedTenant(db())
    workload = await createWorkload(ctxFor(db(), seed), createInput())
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.return(undefined)
  })
  async function watch(person: Person, signal?: AbortSignal) {
    const { cookie, signInId } = await browserOf(runtime, person.id)
    const stream = watchWorkload(await contextOf(new Headers({ cookie }), runtime), { id: workload.id, signal })
    open.push(stream)
    const next = async (): Promise<WorkloadView | 'ended'> => (await stream.next()).value ?? 'ended'
    return { next, signInId }
  }

  it('shows it at once, then each change within a second, and ends when it has ended', async () => {
    const ctx = ctxFor(db(), seed)
    const { next } = await watch(seed.owner)
    expect(await next()).toMatchObject({ id: workload.id, state: 'queued', isOwn: true })
    const renamed = next()
    await renameWorkload(ctx, workload.id, 'other-name')
    expect(await renamed).toMatchObject({ name: 'other-name' })
    const canceled = next()
    await deleteWorkload(ctx, workload.id)
    expect(await canceled).toMatchObject({ state: 'canceled' })
    expect(await next()).toBe('ended')
  })

  it('T14: ends within two seconds for whom a share or a sign-in is taken back, and at shutdown', async () => {
    const ctx = ctxFor(db(), seed)
    const noor = await seedMember(db(), seed, 'member')
    const foreign = (await watch(noor)).next()
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await setShare(ctx, { workloadId: workload.id, userId: noor.id, level: 'view' })
    const shared = await watch(noor)
    expect(await shared.next()).toMatchObject({ id: workload.id, isOwn: false })
    const ended = shared.next()
    await removeShare(ctx, { workloadId: workload.id, userId: noor.id })
    await expect(ended).rejects.toMatchObject({ code: 'not_found' })

    const [revoked, left] = [await watch(seed.owner), await watch(seed.owner)]
    await Promise.all([revoked.next(), left.next()])
    await db().signIn.update({ where: { id: revoked.signInId }, data: { revokedAt: ctx.now() } })
    const [gone, changed] = [revoked.next(), left.next()]
    await renameWorkload(ctx, workload.id, 'another-name')
    await expect(gone).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await changed).toMatchObject({ name: 'another-name' })
    const last = left.next()
    shutdown.berthShutdown?.abort()
    await expect(last).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
