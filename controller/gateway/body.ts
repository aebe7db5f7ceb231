import type { IncomingMessage } from 'node:http'

const BODY_MS = 5000

/** Reads a small JSON body; null when it is larger, slower than 5 s, or no JSON. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const text = await readText(request, bytesMax)
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null // no JSON: the caller's schema refuses null
  }
}

/** Reads a small body; null when it is larger, or slower than 5 s. */
export async function readText(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  const late = setTimeout(() => request.destroy(), BODY_MS)
  try {
    for await (const piece of request) {
      bytes += piece.byteLength
      if (bytes > bytesMax) return null
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString('utf8')
  } catch {
    return null // broken off: as good as nothing
  } finally {
    clearTimeout(late)
  }
}
