import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '@/domain/errors'
import { SYSTEM_FOLDERS } from '@/domain/folder-causes'
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
  const field = spec.mounts.length > 0 ? 'spec.mounts' : 'spec.python'
  if (spec.python !== null && kind !== 'notebook') refuse('spec.python', 'only a notebook has one')
  const machines = await listMachines(ctx.db, ctx.tenantId)
  const own = machines.filter((m) => m.ownerId === ctx.person.id && (spec.machineId === null || m.id === spec.machineId))
  const [first] = own
  if (!first) refuse(field, 'only on a machine that you own')
  const touched = spec.mounts.find((mount) => own.every((m) => isOfBerth(ctx.db, m, { path: mount.path })))
  if (touched) refuse('spec.mounts', ofBerth(ctx.db, first, touched.path))
  if (spec.python !== null && isOfBerth(ctx.db, first, { path: spec.python, isOnlyInside: true }))
    refuse('spec.python', `${spec.python} lies in the data directory of Berth`)
  if (own.some((machine) => outsideRoots(spec, machine) === null)) return
  const outside = outsideRoots(spec, first) ?? ''
  refuse(outside === spec.python ? 'spec.python' : 'spec.mounts', `${outside} is not below a folder that ${first.name} allows`)
}

/**
 * Refuses a folder below which nothing could ever be shown: one that is not there, is no folder, or is of Berth or of the
 * system. What only the machine can know, it says when something starts. Errors: invalid, with the field.
 */
export async function checkRoot(db: Db, machine: Pick<Machine, 'region' | 'name'>, root: string): Promise<void> {
  if (SYSTEM_FOLDERS.some((folder) => isWithin(root, folder))) refuse('roots', `${root} belongs to the system`)
  if (homeOn(db, machine) === null) return
  const real = await realpath(root).catch(() => null)
  const found = real === null ? null : await stat(real).catch(() => null)
  if (real === null || found === null) refuse('roots', `${root} does not exist on ${machine.name}`)
  if (!found.isDirectory()) refuse('roots', `${root} is a file, not a folder`)
  const isOwn = [root, real].some((one) => isOfBerth(db, machine, { path: one, isOnlyInside: true }))
  if (isOwn) refuse('roots', `${root} belongs to Berth itself`)
  const canRead = await access(real, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!canRead) refuse('roots', `${root} cannot be read by the account that runs Berth`)
}

/** The data directory, where this process can know what lies on that machine: elsewhere, and with PostgreSQL, only the machine does. */
function homeOn(db: Db, machine: Pick<Machine, 'region'>): string | null {
  const place = placeOf(db)
  return machine.region === 'local' && place.provider === 'sqlite' ? path.dirname(place.file) : null
}

/** Which way a folder touches the data directory: a home usually holds it, and what lies beside it there is fine. */
function ofBerth(db: Db, machine: Machine, folder: string): string {
  const home = homeOn(db, machine)
  const isAbove = home !== null && home !== folder && isWithin(home, folder)
  return isAbove
    ? `${folder} holds the data directory of Berth (${home}); name folders below it instead`
    : `${folder} lies in the data directory of Berth`
}

/** Does a path of this machine touch the data directory? `isOnlyInside`: a folder that holds it is fine. */
function isOfBerth(db: Db, machine: Pick<Machine, 'region'>, asked: { path: string; isOnlyInside?: boolean }): boolean {
  const home = homeOn(db, machine)
  if (home === null) return false
  return isWithin(asked.path, home) || (!asked.isOnlyInside && isWithin(home, asked.path))
}

function refuse(field: string, limit: string): never {
  throw new AppError('invalid', { field, limit })
}
