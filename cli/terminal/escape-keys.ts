/** Ctrl-] begins a word to the command itself. */
const ESCAPE = 0x1d
/** What may follow it. Twice sends one Ctrl-] to the program; any other key is dropped. */
const WORDS = { d: 'detach', t: 'take', r: 'release' } as const
type Word = (typeof WORDS)[keyof typeof WORDS]

export type Typed = { kind: 'bytes'; bytes: Uint8Array } | { kind: Word }

/** Splits what is typed into bytes for the program and words for the command. Keeps its place between chunks. */
export class EscapeKeys {
  #isOpen = false

  read(chunk: Uint8Array): Typed[] {
    const all: Typed[] = []
    let plain: number[] = []
    const flush = () => {
      if (plain.length > 0) all.push({ kind: 'bytes', bytes: Uint8Array.from(plain) })
      plain = []
    }
    for (const byte of chunk) {
      const isAfter = this.#isOpen
      this.#isOpen = !isAfter && byte === ESCAPE
      if (this.#isOpen) continue
      const word = isAfter ? wordOf(byte) : undefined
      if (word) {
        flush()
        all.push({ kind: word })
      } else if (!isAfter || byte === ESCAPE) plain.push(byte)
    }
    flush()
    return all
  }
}

function wordOf(byte: number): Word | undefined {
  return Object.entries(WORDS).find(([key]) => key.charCodeAt(0) === byte)?.[1]
}
