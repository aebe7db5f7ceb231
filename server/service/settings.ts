import { isDeepStrictEqual } from 'node:util'
import { Cron } from 'croner'
import { AppError } from '@/domain/errors'
import { because } from '@/domain/reasons'
import { isTerminal } from '@/domain/states'
import { FIVE_FIELDS, type Workload, type WorkloadSettings } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { keepUp, saveSettings } from '@/server/store/settings'
import { findWorkload } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { note } from './transition'

/** Changes what ends a run by itself; the present run too. The same again changes nothing. Errors: not_found, forbidden, invalid, wrong_state. */
export async function setSettings(ctx: Ctx, id: string, settings: WorkloadSettings): Promise<Workload> {
  await loadFor(ctx, 'workload.settings', id)
  checkSettings(settings)
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    if (isTerminal(workload.state) || workload.state === 'removing')
      throw new AppError('wrong_state', { action: 'change the settings of', state: workload.state })
    if (isDeepStrictEqual(workload.settings, settings)) return workload
    await saveSettings(tx, ctx.tenantId, { id, settings })
    await note(tx, workload, because('settings_changed', { person: ctx.person.name }), ctx.now(), by(ctx))
    return reread(tx, workload)
  })
}

/** Puts an idle stop off by a whole idle period. Errors: not_found, forbidden, wrong_state, conflict (another rule stops it). */
export async function keepWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    if (workload.stopWhy === 'limit' || workload.stopWhy === 'schedule')
      throw new AppError('conflict', {
        why: `its ${workload.stopWhy} stops it, not that it is idle; change its settings instead`,
      })
    if (!(await keepUp(tx, ctx.tenantId, { id, at: ctx.now() })))
      throw new AppError('wrong_state', { action: 'keep', state: workload.state })
    await note(tx, workload, because('kept_by_person', { person: ctx.person.name }), ctx.now(), by(ctx))
    return reread(tx, workload)
  })
}

/** Refuses a schedule that no clock can follow. Errors: invalid, with the field. */
export function checkSettings({ parkAt }: WorkloadSettings): void {
  if (!parkAt) return
  if (!isTimeZone(parkAt.timeZone))
    throw new AppError('invalid', { field: 'parkAt.timeZone', limit: 'an IANA time zone, such as Europe/Berlin' })
  if (parkAt.cron.trim().split(/\s+/).length !== 5 || !isCron(parkAt.cron))
    throw new AppError('invalid', { field: 'parkAt.cron', limit: FIVE_FIELDS })
}

function isCron(cron: string): boolean {
  try {
    return new Cron(cron, { paused: true }).nextRun() !== null
  } catch {
    return false // its words are about its own syntax; ours name the field
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false // the only way in which a time zone can be asked for
  }
}

async function reread(tx: Tx, workload: Workload): Promise<Workload> {
  return (await findWorkload(tx, workload.tenantId, workload.id)) ?? workload
}
