import path from 'node:path'
import { AppError } from '@/domain/errors'
import { outsideRoots, pathsAsked } from '@/domain/folders'
import type { Machine } from '@/domain/machines'
import { isWithin } from '@/domain/paths'
import type { CreateWorkloadInput } from '@/domain/workloads'
import { type Db, placeOf } from '@/server/store/db'
import { listMachines } from '@/server/store/machines'
import type { Ctx } from './ctx'

/**
 * Refuses folders and an interpreter that no machine of this person would show inside: they must lie below a folder that
 * a machine of theirs allows, and never touch what Berth itself stores. Errors: invalid, with the field.
 */
export async function checkFolders(ctx: Ctx, { kind, spec }: Pick<CreateWorkloadInput, 'kind' | 'spec'>): Promise<void> {
  if (pathsAsked(spec).length === 0) return
  const field = spec.mounts.length > 0 ? 'mounts' : 'python'
  if (spec.python !== null && kind !== 'notebook') refuse('python', 'only a notebook has one')
  const machines = await listMachines(ctx.db, ctx.tenantId)
  const own = machines.filter((m) => m.ownerId === ctx.person.id && (spec.machineId === null || m.id === spec.machineId))
  const [first] = own
  if (!first) refuse(field, 'only on a machine that you own')
  const touched = spec.mounts.find((mount) => own.every((m) => isOfBerth(ctx.db, m, { path: mount.path })))
  if (touched) refuse('mounts', `${touched.path} is, holds or lies in the data directory of Berth`)
  if (spec.python !== null && isOfBerth(ctx.db, first, { path: spec.python, isOnlyInside: true }))
    refuse('python', `${spec.python} lies in the data directory of Berth`)
  if (own.some((machine) => outsideRoots(spec, machine) === null)) return
  const outside = outsideRoots(spec, first) ?? ''
  refuse(outside === spec.python ? 'python' : 'mounts', `${outside} is not below a folder that ${first.name} allows`)
}

/** Does a path of this machine touch the data directory? `isOnlyInside`: a folder that holds it is fine. */
export function isOfBerth(db: Db, machine: Pick<Machine, 'region'>, asked: { path: string; isOnlyInside?: boolean }): boolean {
  const place = placeOf(db)
  // Elsewhere, and with PostgreSQL, only the machine itself knows; it refuses too.
  if (machine.region !== 'local' || place.provider !== 'sqlite') return false
  const home = path.dirname(place.file)
  return isWithin(asked.path, home) || (!asked.isOnlyInside && isWithin(home, asked.path))
}

function refuse(field: string, limit: string): never {
  throw new AppError('invalid', { field, limit })
}
