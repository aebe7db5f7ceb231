import { readFileSync } from 'node:fs'
import { doorTokenFile } from '@/protocol/paths'

const KNOWN_MAX = 1000
/** What a header may carry and a server of ours makes: anything else is no token. */
const TOKEN = /^[\w.~+/=-]{16,200}$/

/**
 * Tokens of servers without a network namespace of their own. Each lies on this machine beside the server's door, at a
 * path that is computed from the placement and never taken from a report.
 */
export class DoorTokens {
  readonly #runtimeDir: string
  readonly #known = new Map<string, string | null>()

  constructor(runtimeDir: string) {
    this.#runtimeDir = runtimeDir
  }

  /** The token of an instance that runs; null when its server asks for none. Read once: it is written before the server starts. */
  of(placementId: string): string | null {
    const known = this.#known.get(placementId)
    if (known !== undefined) return known
    const token = readToken(doorTokenFile(this.#runtimeDir, placementId))
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(placementId, token)
    return token
  }
}

function readToken(path: string): string | null {
  try {
    const text = readFileSync(path, 'latin1').trim()
    return TOKEN.test(text) ? text : null
  } catch {
    return null // no such file: its server has a namespace of its own
  }
}
