import type { Tx } from './db'

/** Raises the change counter and returns its new value. Only transition() and note() call it, as their last write but the event. */
export async function raiseCounter(tx: Tx): Promise<number> {
  const row = await tx.changeCounter.update({ where: { id: 1 }, data: { value: { increment: 1 } }, select: { value: true } })
  return row.value
}

/** Lets the counter go on above a value that it once had, before its database was put back. */
export async function raiseCounterAbove(tx: Tx, seen: number): Promise<void> {
  await tx.changeCounter.updateMany({ where: { id: 1, value: { lte: seen } }, data: { value: seen + 1 } })
}

/** The counter now. */
export async function readCounter(tx: Tx): Promise<number> {
  const row = await tx.changeCounter.findUniqueOrThrow({ where: { id: 1 }, select: { value: true } })
  return row.value
}
