/** What the first bytes of a tunnel say: not yet whole, no TLS greeting that names a host, or the name that they ask for. */
export type Greeting = { state: 'partial' } | { state: 'unnamed' } | { state: 'named'; host: string }

const HANDSHAKE = 0x16
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const RECORD_HEADER = 5
const HELLO_HEADER = 4
/** Version and random bytes. */
const HELLO_FIXED = 34
/** A greeting is smaller; what is larger is none. */
export const GREETING_BYTES_MAX = 16_384

const partial = { state: 'partial' } as const
const unnamed = { state: 'unnamed' } as const

/** Pure: the host that a TLS greeting asks for (SNI). Whatever is no such greeting names nothing. */
export function readGreeting(bytes: Buffer): Greeting {
  if (bytes.byteLength === 0) return partial
  if (bytes[0] !== HANDSHAKE) return unnamed
  const hello = handshakeOf(bytes)
  if (hello === null) return partial
  if (hello[0] !== CLIENT_HELLO) return unnamed
  try {
    return named(hello.subarray(HELLO_HEADER))
  } catch {
    return unnamed // A length that leads outside: no greeting that a server would understand.
  }
}

/** The first handshake message, put together from its records; null while bytes of it are missing. */
function handshakeOf(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = []
  let have = 0
  for (let at = 0; at + RECORD_HEADER <= bytes.byteLength && bytes[at] === HANDSHAKE; ) {
    const end = at + RECORD_HEADER + bytes.readUInt16BE(at + 3)
    const part = bytes.subarray(at + RECORD_HEADER, end)
    parts.push(part)
    have += part.byteLength
    if (end > bytes.byteLength) break
    at = end
  }
  const message = Buffer.concat(parts)
  const wanted = have < HELLO_HEADER ? GREETING_BYTES_MAX : HELLO_HEADER + message.readUIntBE(1, 3)
  if (have >= wanted) return message.subarray(0, wanted)
  return bytes.byteLength >= GREETING_BYTES_MAX ? Buffer.alloc(HELLO_HEADER) : null
}

function named(body: Buffer): Greeting {
  let at = HELLO_FIXED
  at += 1 + body.readUInt8(at) // session id
  at += 2 + body.readUInt16BE(at) // cipher suites
  at += 1 + body.readUInt8(at) // compression
  if (at + 2 > body.byteLength) return unnamed
  const end = at + 2 + body.readUInt16BE(at)
  for (at += 2; at + 4 <= end; ) {
    const type = body.readUInt16BE(at)
    const size = body.readUInt16BE(at + 2)
    // List length, kind of name, length of name, name.
    if (type === SERVER_NAME)
      return { state: 'named', host: body.subarray(at + 9, at + 9 + body.readUInt16BE(at + 7)).toString('latin1') }
    at += 4 + size
  }
  return unnamed
}
