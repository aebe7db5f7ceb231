/** Reads a body as text, at most `bytesMax`; null when it is longer. Stops reading at the bound, whatever length was announced. */
export async function readBounded(request: Request, bytesMax: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return null
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Is JSON text nested deeper than `max`? Counts brackets outside strings, so that a parser never meets a hostile depth. */
export function isDeeperThan(json: string, max: number): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (isInString) {
      if (char === '\\') i += 1
      else if (char === '"') isInString = false
      continue
    }
    if (char === '"') isInString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > max) return true
  }
  return false
}
