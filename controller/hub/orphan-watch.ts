import { isDeepStrictEqual } from 'node:util'
import type { Instance } from '@/domain/ids'
import { type OrphanSpec, orphanSpec } from '@/domain/orphans'
import type { Clock } from '@/kit/clock'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { Db } from '@/server/store/db'
import { orphanDecisions, type SeenOrphan, saveOrphans } from '@/server/store/system/orphans'

type Listing = {
  unknown: readonly ObservedInstance[]
  foreign: readonly ObservedInstance[]
  unlisted: readonly DesiredInstance[]
}

/** Rows of what is seen are written again at least that often, so that a page can say when. */
const SAVE_EVERY_MS = 60_000

/**
 * What one machine has and the store does not know at that generation: it goes on, is kept for a person to decide, and
 * only what a person stops is ended. A copy of another machine's placement is told to end: that row is not this machine's.
 */
export class OrphanWatch {
  readonly #deps: { db: Db; clock: Clock }
  readonly #machineId: string
  /** What the machine once said of each: named in an order it is not described again. */
  readonly #specs = new Map<string, DesiredInstance>()
  #seen: readonly SeenOrphan[] | null = null
  #foreign: readonly Instance[] = []
  #savedAt = 0
  #ordered: ReadonlySet<string> = new Set()

  constructor(deps: { db: Db; clock: Clock }, machineId: string) {
    this.#deps = deps
    this.#machineId = machineId
  }

  /** What the machine shall end now: everything of it was seen in the last answer. */
  async orders(): Promise<DesiredInstance[]> {
    const decided = await this.#decided()
    this.#ordered = new Set(decided.map((o) => o.instance.placementId))
    return [...this.#foreign, ...decided.map((o) => o.instance)].map((i) => this.#endOf(i))
  }

  /** Did a person decide something that the machine was not told yet? */
  async hasNews(): Promise<boolean> {
    return (await this.#decided()).some((o) => !this.#ordered.has(o.instance.placementId))
  }

  async #decided() {
    return this.#seen?.length ? orphanDecisions(this.#deps.db, this.#machineId) : []
  }

  /** Keeps what the machine listed. */
  async keep({ unknown, foreign, unlisted }: Listing): Promise<void> {
    const { db, clock } = this.#deps
    const present = new Set([...unknown, ...foreign].map((i) => i.placementId))
    for (const id of this.#specs.keys()) if (!present.has(id)) this.#specs.delete(id)
    for (const spec of unlisted) if (present.has(spec.placementId)) this.#specs.set(spec.placementId, spec)
    this.#foreign = foreign.filter(isUp).map(instanceOf)
    const seen = unknown.filter(isUp).map((i) => this.#seenAs(i))
    const at = clock.now()
    const isFresh = Math.abs(at.getTime() - this.#savedAt) < SAVE_EVERY_MS
    if (isFresh && isDeepStrictEqual(seen, this.#seen)) return
    await saveOrphans(db, { machineId: this.#machineId, at }, seen)
    this.#seen = seen
    this.#savedAt = at.getTime()
  }

  #seenAs(observed: ObservedInstance): SeenOrphan {
    return {
      instance: instanceOf(observed),
      spec: specOf(this.#specs.get(observed.placementId), observed),
      status: observed.status,
    }
  }

  /** An order to end names the instance; of the rest only the driver counts, and the machine knows that better. */
  #endOf(instance: Instance): DesiredInstance {
    const spec = this.#specs.get(instance.placementId) ?? NOTHING
    return { ...spec, ...instance, want: 'destroy' }
  }
}

/** A machine that describes another instance than it lists is not believed. */
function specOf(said: DesiredInstance | undefined, i: Instance): OrphanSpec | null {
  if (!said || said.workloadId !== i.workloadId || said.workloadGen !== i.workloadGen) return null
  return orphanSpec.safeParse(said).data ?? null
}

function isUp(i: ObservedInstance): boolean {
  return i.status !== 'stopped' && i.status !== 'removed'
}

function instanceOf({ workloadId, placementId, workloadGen }: Instance): Instance {
  return { workloadId, placementId, workloadGen }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const NOTHING: Omit<DesiredInstance, keyof Instance | 'want'> = {
  tenantId: NOBODY,
  ownerId: NOBODY,
  kind: 'session',
  runtime: '',
  driver: 'process-sandboxed',
  cpus: 1,
  memoryBytes: 0,
  diskBytes: 0,
  devices: [],
  command: null,
  server: [],
  requirements: [],
  mounts: [],
  python: null,
  mountRoots: [],
  egress: { open: false, allow: [] },
  needsWorkspace: false,
}
