/** What the order of the queue looks at. */
export type Waiting = { id: string; ownerId: string; tenantId: string; stateSince: Date }

/**
 * What each person has, by `personKey`: CPU-hours of late (`decayedUse`) and one for each start that holds room now. They are
 * compared in whole ones: where two differ by little, who waited longer goes first.
 */
export type Shares = ReadonlyMap<string, number>

/**
 * The order in which waiting workloads are looked at: between tenants, then between people, whoever has the smaller share
 * goes first, and each that is taken adds one to it; for one person, first come, first served. Pure.
 */
export function orderQueue<W extends Waiting>(waiting: readonly W[], shares: Shares): W[] {
  const lines = linesOf(waiting)
  const people = new Map(shares)
  const tenants = new Map<string, number>()
  for (const [key, share] of shares) add(tenants, tenantOf(key), share)
  return waiting.flatMap(() => {
    const heads = new Map<string, W>()
    for (const [head] of lines.values()) {
      const best = head && heads.get(head.tenantId)
      if (head && (!best || isFirst(head, best, (w) => people.get(personKey(w))))) heads.set(head.tenantId, head)
    }
    const next = [...heads.values()].reduce((a, b) => (isFirst(b, a, (w) => tenants.get(w.tenantId)) ? b : a))
    lines.get(personKey(next))?.shift()
    add(people, personKey(next), 1)
    add(tenants, next.tenantId, 1)
    return [next]
  })
}

/** The 1-based place of a waiting workload among its tenant's, in the order of `orderQueue`; behind all when it is not among them. Pure. */
export function placeInQueue(id: string, waiting: readonly Waiting[], shares: Shares): { position: number; length: number } {
  const at = orderQueue(waiting, shares).findIndex((w) => w.id === id)
  return { position: at < 0 ? waiting.length + 1 : at + 1, length: waiting.length }
}

/** One person in one tenant. */
export function personKey(of: { tenantId: string; ownerId: string }): string {
  return `${of.tenantId}/${of.ownerId}`
}

function tenantOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

/** Each person's own, the oldest first. */
function linesOf<W extends Waiting>(waiting: readonly W[]): Map<string, W[]> {
  const lines = new Map<string, W[]>()
  for (const w of waiting.toSorted(byAge)) lines.set(personKey(w), [...(lines.get(personKey(w)) ?? []), w])
  return lines
}

function isFirst<W extends Waiting>(a: W, b: W, shareOf: (w: W) => number | undefined): boolean {
  const whole = (w: W) => Math.floor(shareOf(w) ?? 0)
  return (whole(a) - whole(b) || byAge(a, b)) < 0
}

function add(sums: Map<string, number>, key: string, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more)
}

function byAge(a: Waiting, b: Waiting): number {
  return a.stateSince.getTime() - b.stateSince.getTime() || (a.id < b.id ? -1 : 1)
}
