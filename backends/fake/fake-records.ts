import { Readable } from 'node:stream'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { NotebookList, NotebooksAsk } from '@/protocol/notebooks'
import type { ReadAsk, ReadInfo, ReadSource, SearchAnswer, SearchAsk } from '@/protocol/read'

type Record = { instance: Instance; source: ReadSource; text: string }

/** What a fake machine keeps of its instances to be read, also after they stopped. */
export class FakeRecords {
  #records: Record[] = []
  readonly #notebooks = new Map<string, Map<string, string>>()

  /** Something was printed. */
  print(instance: Instance, source: ReadSource, text: string): void {
    const known = this.#records.find((r) => r.instance.placementId === instance.placementId && r.source === source)
    if (known) known.text += text
    else this.#records.push({ instance, source, text })
  }

  /** A notebook was saved; from its first one on, a workload has a workspace. */
  save(workloadId: string, path: string, text: string): void {
    const saved = this.#notebooks.get(workloadId) ?? new Map<string, string>()
    this.#notebooks.set(workloadId, saved.set(path, text))
  }

  /** Everything of a workload is erased with it. */
  erase(workloadId: string): void {
    this.#records = this.#records.filter((r) => r.instance.workloadId !== workloadId)
    this.#notebooks.delete(workloadId)
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

  notebooks({ workloadId, path }: NotebooksAsk): Readable {
    const saved = this.#notebooks.get(workloadId)
    const text = path === null ? saved && listOf(saved) : saved?.get(path)
    if (text === undefined) throw new AppError('not_found', { what: 'record' })
    return Readable.from([Buffer.from(text)], { objectMode: false })
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

function listOf(saved: ReadonlyMap<string, string>): string {
  const at = new Date(0).toISOString()
  const notebooks = [...saved].map(([path, text]) => ({ path, at, bytes: Buffer.byteLength(text) }))
  return JSON.stringify({ notebooks, isComplete: true } satisfies NotebookList)
}
