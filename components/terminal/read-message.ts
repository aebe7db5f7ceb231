import { type ServerMessage, serverMessage } from '@/protocol/terminal'

/** A message of the gateway; null for what this version cannot read. */
export function readMessage(data: unknown): ServerMessage | null {
  return serverMessage.safeParse(parseJson(data)).data ?? null
}

function parseJson(data: unknown): unknown {
  if (typeof data !== 'string') return null
  try {
    return JSON.parse(data)
  } catch {
    return null // not ours: the gateway sends JSON only, and the schema refuses null
  }
}
