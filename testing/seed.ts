import { v7 as uuidv7 } from 'uuid'
import type { Role, Trust } from '@/domain/kinds'
import type { Machine } from '@/domain/machines'
import { because } from '@/domain/reasons'
import { type CreateWorkloadInput, createWorkloadInput, type Workload } from '@/domain/workloads'
import { placeWorkload, toRunning } from '@/server/service/controller-moves'
import type { Ctx, Person } from '@/server/service/ctx'
import { createWorkload } from '@/server/service/workloads'
import type { Db } from '@/server/store/db'
import { insertAccount, insertMembership, insertTenant } from '@/server/store/system/accounts'
import { acquireLease, PLACEMENT_LEASE } from '@/server/store/system/leases'
import { insertMachine, mintMachineGen, saveInventory } from '@/server/store/system/machines'
import { CATALOG, GIB, inventoryOf } from './candidates'
import { TestClock } from './clock'

export type Seed = { tenantId: string; owner: Person }

/** A tenant of its own with one owner. */
export async function seedTenant(db: Db, change: { trust?: Trust; name?: string } = {}): Promise<Seed> {
  const tenantId = uuidv7()
  const owner = await seedPerson(db, change.name ?? 'Mara', 'owner')
  const at = new TestClock().now()
  const ids = { id: tenantId, quotaId: uuidv7(), membershipId: uuidv7(), ownerId: owner.id }
  await insertTenant(db, { ...ids, name: 'Harbor', trust: change.trust ?? 'trusted', at })
  return { tenantId, owner }
}

/** One more person in a tenant. */
export async function seedMember(db: Db, seed: Seed, role: Role): Promise<Person> {
  const person = await seedPerson(db, 'Noor', role)
  const membership = { id: uuidv7(), tenantId: seed.tenantId, userId: person.id, role }
  await insertMembership(db, { ...membership, at: new TestClock().now() })
  return person
}

async function seedPerson(db: Db, name: string, role: Role): Promise<Person> {
  const id = uuidv7()
  const person = { id, name, email: `${id}@example.test`, role, isOperator: false }
  const { email, isOperator } = person
  const at = new TestClock().now()
  await insertAccount(db, { userId: id, identityId: uuidv7(), email, name, passwordHash: 'none', isOperator, at })
  return person
}

/** A person's request. The clock stands still unless one is given. */
export function ctxFor(db: Db, seed: Seed, change: Partial<Ctx> & { clock?: TestClock } = {}): Ctx {
  const { clock = new TestClock(), ...given } = change
  return {
    db,
    tenantId: seed.tenantId,
    person: seed.owner,
    via: 'cookie',
    signInId: null,
    apiTokenId: null,
    now: () => clock.now(),
    newId: () => uuidv7(),
    random: Math.random,
    catalog: CATALOG,
    ...given,
  }
}

/** A small session, as the form would ask for it. */
export function createInput(change: Record<string, unknown> = {}): CreateWorkloadInput {
  const { spec, ...rest } = change
  const small = { runtime: 'shell', cpus: 1, memoryBytes: GIB, diskBytes: GIB }
  return createWorkloadInput.parse({ kind: 'session', ...rest, spec: { ...small, ...(spec as object | undefined) } })
}

/** A connected machine of the tenant's owner, with 8 CPUs and every driver working. */
export async function seedMachine(db: Db, seed: Seed, change: { name?: string; region?: string } = {}): Promise<Machine> {
  const machineId = uuidv7()
  const at = new TestClock().now()
  const { name = `m-${machineId.slice(-8)}`, region = 'lab' } = change
  await insertMachine(db, { id: machineId, tenantId: seed.tenantId, ownerId: seed.owner.id, name, region, at })
  const machineGen = await mintMachineGen(db, { machineId, controllerId: 'controller-1', at })
  const inventory = inventoryOf()
  await saveInventory(db, { machineId, machineGen, inventory })
  return {
    id: machineId,
    tenantId: seed.tenantId,
    ownerId: seed.owner.id,
    name,
    region,
    sharing: 'owner',
    mountRoots: [],
    state: 'active',
    inventory,
    bootId: null,
    machineGen,
    lastContactAt: at,
    isConnected: true,
    createdAt: at,
  }
}

/** A workload that was created and placed: provisioning on that machine. */
export async function seedPlaced(ctx: Ctx, machine: Machine, input = createInput()): Promise<Workload> {
  const workload = await createWorkload(ctx, input)
  const { epoch } = await placementLease(ctx.db)
  const request = { workload, machineId: machine.id, catalog: ctx.catalog, epoch, placementId: uuidv7(), at: ctx.now() }
  const placed = await placeWorkload(ctx.db, request)
  if (!placed) throw new Error('the seeded workload does not fit the seeded machine')
  return placed
}

/** A workload that runs on that machine, with its files there. */
export async function seedRunning(ctx: Ctx, machine: Machine, input = createInput()): Promise<Workload> {
  const workload = await seedPlaced(ctx, machine, input)
  return toRunning(ctx.db, { workload, reason: because('started', {}), at: ctx.now(), hasWorkspace: true })
}

/** The placement lease, held by the tests' controller for an hour. */
export async function placementLease(db: Db): Promise<{ epoch: number }> {
  const wanted = { name: PLACEMENT_LEASE, holder: 'controller-1', ttlMs: 3_600_000, at: new TestClock().now() }
  const lease = await acquireLease(db, wanted)
  if (!lease) throw new Error('somebody else holds the placement lease')
  return lease
}
