import { DRIVER_ROWS, DRIVERS } from '@/domain/drivers'
import type { Inventory } from '@/domain/machines'

/** Does this driver row keep what it runs from reading what Berth stores? Unknown rows are taken as if they did not. Pure. */
export function isUnisolated(driver: string): boolean {
  const row = DRIVER_ROWS.find((name) => name === driver)
  return row === undefined || DRIVERS[row].isolation === 'none'
}

/** The line that would bring a sandbox to a machine that has none; null when it has one, or no line is known. Pure. */
export function sandboxFix({ drivers }: Pick<Inventory, 'drivers'>): string | null {
  return drivers.find((d) => d.row === 'process-sandboxed' && !d.works)?.fix ?? null
}

/** Does a machine run programs without isolation: it has nothing better that works? Pure. */
export function runsUnisolated({ drivers }: Pick<Inventory, 'drivers'>): boolean {
  const working = drivers.filter((d) => d.works)
  return working.length > 0 && working.every((d) => isUnisolated(d.row))
}
