import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@/domain/errors'
import { because } from '@/domain/reasons'
import { isTerminal } from '@/domain/states'
import { TIME_ZONE, type Workload, type WorkloadSettings } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { keepUp, saveSettings } from '@/server/store/settings'
import { findWorkload } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { cronProblem } from './schedule'
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

/**
 * Puts an idle stop off by a whole idle period; without one there is nothing to do, and no line says that there was. Errors:
 * not_found, forbidden, wrong_state, conflict (another rule stops it).
 */
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
    if (!hasIdleStop(workload)) return reread(tx, workload)
    await note(tx, workload, because('kept_by_person', { person: ctx.person.name }), ctx.now(), by(ctx))
    return reread(tx, workload)
  })
}

/** Refuses a schedule that no clock can follow. Errors: invalid, with the field. */
export function checkSettings({ parkAt }: WorkloadSettings): void {
  if (!parkAt) return
  if (!isTimeZone(parkAt.timeZone)) throw new AppError('invalid', { field: 'settings.parkAt.timeZone', limit: TIME_ZONE })
  const limit = cronProblem(parkAt.cron)
  if (limit !== null) throw new AppError('invalid', { field: 'settings.parkAt.cron', limit })
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false // the only way in which a time zone can be asked for
  }
}

function hasIdleStop({ settings, stopWhy }: Workload): boolean {
  return settings.idleMinutes !== null || stopWhy === 'idle'
}

async function reread(tx: Tx, workload: Workload): Promise<Workload> {
  return (await findWorkload(tx, workload.tenantId, workload.id)) ?? workload
}
