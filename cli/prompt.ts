import { createInterface, type Interface } from 'node:readline'
import { Failure } from './failure'

let piped: { lines: AsyncIterableIterator<string>; reader: Interface } | null = null

/** Asks on the terminal, or takes the next line of what is piped in. */
export async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) return nextLine()
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise((resolve, reject) => {
      reader.once('close', () => reject(new Failure('nothing was entered')))
      reader.question(question, resolve)
    })
  } finally {
    reader.removeAllListeners('close')
    reader.close()
  }
}

/** Asks without showing what is typed; piped in, it is the next line. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return nextLine()
  process.stderr.write(question)
  process.stdin.setRawMode(true)
  try {
    return await typed()
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
    process.stderr.write('\n')
  }
}

/** Keys until Enter, with Backspace; Ctrl-C and Ctrl-D give up. */
function typed(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer) => {
      for (const key of chunk.toString('utf8')) {
        if (key === '\u0003' || key === '\u0004') return end(() => reject(new Failure('nothing was entered')))
        if (key === '\r' || key === '\n') return end(() => resolve(text))
        text = key === '\u007f' || key === '\b' ? [...text].slice(0, -1).join('') : text + key
      }
    }
    const end = (settle: () => void) => {
      process.stdin.off('data', read)
      settle()
    }
    process.stdin.on('data', read)
  })
}

async function nextLine(): Promise<string> {
  if (!piped) {
    const reader = createInterface({ input: process.stdin })
    piped = { reader, lines: reader[Symbol.asyncIterator]() }
  }
  const { value, done } = await piped.lines.next()
  if (done) throw new Failure('nothing was entered', { exitCode: 2 })
  return value
}

/** Lets the process end although more was piped in than was read. */
export function closePrompts(): void {
  piped?.reader.close()
}
