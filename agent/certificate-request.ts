import { createPublicKey, type KeyObject, sign } from 'node:crypto'

/**
 * A PKCS#10 request (PEM) for a P-256 key: version 0, empty subject, no attributes, signed with ECDSA and SHA-256. The
 * controller takes nothing from it but the key, so it is written here by hand instead of loading an X.509 library.
 */
export function certificateRequest(key: KeyObject): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const info = der(SEQUENCE, der(INTEGER, Buffer.of(0)), der(SEQUENCE), publicKey, der(ATTRIBUTES))
  const signature = sign('sha256', info, key)
  const request = der(SEQUENCE, info, der(SEQUENCE, ECDSA_WITH_SHA256), der(BIT_STRING, Buffer.of(0), signature))
  return pem('CERTIFICATE REQUEST', request)
}

/** Text form of a DER structure. */
export function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const BIT_STRING = 0x03
/** Context-specific, constructed, number 0: the attributes, of which there are none. */
const ATTRIBUTES = 0xa0
/** Object identifier 1.2.840.10045.4.3.2. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')

/** One tag, length and value; lengths here stay under 65,536. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.of(tag, ...length), body])
}
