import type { Socket } from 'node:net'
import { LIMITS } from '@/domain/limits'

/** Hosts whose sums are kept; beyond that the smallest is forgotten. */
const HOSTS_MAX = 1000

/** Counts what one instance sent, by host, also on connections that are still open. */
export class Volumes {
  readonly #open = new Map<Socket, string>()
  readonly #ended = new Map<string, number>()

  /** Counts what is sent on a connection to that host, until what it returns is called. */
  watch(host: string, socket: Socket): () => void {
    this.#open.set(socket, host)
    return () => {
      this.#open.delete(socket)
      add(this.#ended, host, socket.bytesWritten)
      if (this.#ended.size > HOSTS_MAX) this.#forgetSmallest()
    }
  }

  /** The hosts that got more than the bound of the alarm. */
  heavyHosts(): string[] {
    const sums = new Map(this.#ended)
    for (const [socket, host] of this.#open) add(sums, host, socket.bytesWritten)
    const heavy = [...sums].filter(([, bytes]) => bytes > LIMITS.egressAlarmBytes)
    return heavy.map(([host]) => host).slice(0, LIMITS.heavyHostsMax)
  }

  #forgetSmallest(): void {
    const [smallest] = [...this.#ended].reduce((a, b) => (b[1] < a[1] ? b : a))
    this.#ended.delete(smallest)
  }
}

function add(sums: Map<string, number>, host: string, bytes: number): void {
  sums.set(host, (sums.get(host) ?? 0) + bytes)
}
