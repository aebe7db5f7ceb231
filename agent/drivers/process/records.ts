import type { InstanceRecord, InstanceStore } from './instance-record'
import { isOver } from './instance-record'
import type { Seen } from './observe-instance'
import { Turns } from './turns'

type Look = (record: InstanceRecord) => Omit<Seen, 'measured'>
type Looked = { record: InstanceRecord; seen: Omit<Seen, 'measured'> }

/** Changes of records, those of one instance one after the other: a start that came up never undoes the order to end. */
export class Records {
  readonly #store: Pick<InstanceStore, 'read' | 'write'>
  readonly #changed: () => void
  readonly #turns = new Turns()

  constructor(store: Pick<InstanceStore, 'read' | 'write'>, changed: () => void) {
    this.#store = store
    this.#changed = changed
  }

  async save(record: InstanceRecord): Promise<void> {
    await this.#turns.run(record.spec.placementId, () => this.#store.write(record))
    this.#changed()
  }

  /** What a start or a watch found out; it changes nothing of an instance that is on its way out. */
  async move(placementId: string, change: Partial<InstanceRecord>): Promise<void> {
    await this.#turns.run(placementId, async () => {
      const record = await this.#store.read(placementId)
      if (record && record.phase !== 'stopping' && !isOver(record)) await this.#store.write({ ...record, ...change })
    })
    this.#changed()
  }

  /**
   * A record with what is seen of it now. Since it was read its host may have been ended in order, which is no failure:
   * the newest record counts then. Null: it was forgotten meanwhile.
   */
  async look(record: InstanceRecord, look: Look): Promise<Looked | null> {
    const seen = look(record)
    if (record.phase !== 'up' || seen.host?.isAlive) return { record, seen }
    const newest = await this.#store.read(record.spec.placementId)
    return newest && { record: newest, seen: look(newest) }
  }
}
