import type { Instance } from '@/domain/ids'
import { isAllowed } from '@/domain/permissions'
import type { Workload } from '@/domain/workloads'
import type { Clock } from '@/kit/clock'
import { checkDoorPass, currentPassage, doorPassKey, type Passage } from '@/server/auth/tickets'
import { secretHash } from '@/server/service/secrets'
import type { Db } from '@/server/store/db'
import { workloadByLabel } from '@/server/store/system/workloads'
import { Recent } from './recent'

/** An answer is at most this old: with a sweep of open connections each second, a revocation counts within 2 s. */
const ANSWER_MS = 500
/** For a page that waits: its person sees the difference. */
const FRESH_MS = 50

/** What a pass or a used ticket is worth at one moment: the instance that it opens, for whom, and whether they may type. */
export type Standing = { workload: Workload; instance: Instance; person: { id: string; name: string }; mayOpen: boolean }
type Issued = Pick<Passage, 'workload' | 'access'>

/** Who may do what at the doors, asked of the store and remembered for half a second. */
export class Access {
  readonly #db: Db
  readonly #clock: Clock
  readonly #doors = new Recent<Workload | null>(ANSWER_MS)
  readonly #fresh = new Recent<Workload | null>(FRESH_MS)
  readonly #passes = new Recent<Standing | null>(ANSWER_MS)
  readonly #passages = new Recent<Passage | null>(ANSWER_MS)

  constructor(deps: { db: Db; clock: Clock }) {
    this.#db = deps.db
    this.#clock = deps.clock
  }

  /** The workload behind a host's label; null when there never was one. */
  door(label: string): Promise<Workload | null> {
    return this.#doors.get(label, () => workloadByLabel(this.#db, label))
  }

  /** The same for a page that waits until it may open. */
  doorNow(label: string): Promise<Workload | null> {
    return this.#fresh.get(label, () => workloadByLabel(this.#db, label))
  }

  /** What a browser's pass opens now, by the secret that it showed and the port of the host where it did. */
  pass({ secret, port }: { secret: string; port: number | null }): Promise<Standing | null> {
    const key = doorPassKey(secret, port)
    const ask = async () => standing(await checkDoorPass(this.#db, key, this.#clock.now()))
    return this.#passes.get(secretHash(key), ask)
  }

  /** What the used ticket of something open is worth now. Windows of one person on one session share the question. */
  passage(ticket: Passage['ticket']): Promise<Passage | null> {
    const key = [ticket.signInId, ticket.apiTokenId, ticket.userId, ticket.workloadId, ticket.placementId, ticket.purpose].join(
      ' ',
    )
    return this.#passages.get(key, () => currentPassage(this.#db, ticket, this.#clock.now()))
  }
}

/** Null without a placement: there is nothing to open. */
export function standing(issued: Issued | null): Standing | null {
  if (!issued?.workload.placement) return null
  const { workload, access } = issued
  const { id, workloadGen } = issued.workload.placement
  return {
    workload,
    instance: { workloadId: workload.id, placementId: id, workloadGen },
    person: access.person,
    mayOpen: isAllowed(access.role, access.relation, 'workload.open'),
  }
}
