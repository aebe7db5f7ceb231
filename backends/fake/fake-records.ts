import { Readable } from 'node:stream'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { ReadAsk, ReadInfo, ReadSource, SearchAnswer, SearchAsk } from '@/protocol/read'

type Record = { instance: Instance; source: ReadSource; text: string }

/** What a fake machine keeps of its instances to be read, also after they stopped. */
export class FakeRecords {
  #records: Record[] = []

  /** Something was printed. */
  print(instance: Instance, source: ReadSource, text: string): void {
    const known = this.#records.find((r) => r.instance.placementId === instance.placementId && r.source === source)
    if (known) known.text += text
    else this.#records.push({ instance, source, text })
  }

  /** Everything of a workload is erased with it. */
  erase(workloadId: string): void {
    this.#records = this.#records.filter((r) => r.instance.workloadId !== workloadId)
  }

  read(ask: ReadAsk): { info: ReadInfo; stream: Readable } {
    const { instance, text } = this.#find(ask)
    const bytes = Buffer.from(text)
    const fromByte = ask.tailBytes === null ? 0 : Math.max(0, bytes.length - ask.tailBytes)
    const { placementId, workloadGen } = instance
    const info = { placementId, workloadGen, fromByte, endByte: bytes.length }
    return { info, stream: Readable.from([bytes.subarray(fromByte)], { objectMode: false }) }
  }

  search(ask: SearchAsk): SearchAnswer {
    const { text } = this.#find(ask)
    let seq = 0
    const lines = text.split('\n').map((line) => {
      const at = seq
      seq += Buffer.byteLength(line) + 1
      return { seq: at, line: line.slice(0, 400), at: null }
    })
    const found = lines.filter((l) => l.line.toLowerCase().includes(ask.text.toLowerCase())).toReversed()
    return { matches: found.slice(0, ask.limit), isComplete: found.length <= ask.limit }
  }

  #find({ workloadId, placementId, source }: Pick<ReadAsk, 'workloadId' | 'placementId' | 'source'>): Record {
    const kept = this.#records
      .filter((r) => r.instance.workloadId === workloadId && r.source === source)
      .filter((r) => placementId === null || r.instance.placementId === placementId)
      .sort((a, b) => b.instance.workloadGen - a.instance.workloadGen)
    if (!kept[0]) throw new AppError('not_found', { what: 'record' })
    return kept[0]
  }
}
