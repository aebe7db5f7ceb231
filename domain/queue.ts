/** What the order of the queue looks at. */
export type Waiting = { id: string; ownerId: string; tenantId: string; stateSince: Date }

/**
 * The order in which waiting workloads are looked at: first come, first served for one person; between people, whoever
 * has fewer running goes first. `running`: placed workloads by `personKey`. Pure.
 */
export function orderQueue<W extends Waiting>(waiting: readonly W[], running: ReadonlyMap<string, number>): W[] {
  const lines = new Map<string, W[]>()
  for (const w of waiting.toSorted(byAge)) lines.set(personKey(w), [...(lines.get(personKey(w)) ?? []), w])
  const turns = [...lines.entries()].flatMap(([person, line]) =>
    line.map((w, i) => ({ w, turn: (running.get(person) ?? 0) + i })),
  )
  return turns.sort((a, b) => a.turn - b.turn || byAge(a.w, b.w)).map(({ w }) => w)
}

/** The 1-based place of a waiting workload among its tenant's, in the order of `orderQueue`; behind all when it is not among them. Pure. */
export function placeInQueue(
  id: string,
  waiting: readonly Waiting[],
  running: ReadonlyMap<string, number>,
): { position: number; length: number } {
  const at = orderQueue(waiting, running).findIndex((w) => w.id === id)
  return { position: at < 0 ? waiting.length + 1 : at + 1, length: waiting.length }
}

/** One person in one tenant. */
export function personKey(of: { tenantId: string; ownerId: string }): string {
  return `${of.tenantId}/${of.ownerId}`
}

function byAge(a: Waiting, b: Waiting): number {
  return a.stateSince.getTime() - b.stateSince.getTime() || (a.id < b.id ? -1 : 1)
}
