import 'reflect-metadata'
import { createHash, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Clock } from '@/kit/clock'
import { AGENTS_SERVER_NAME } from '@/protocol/enrol'

x509.cryptoProvider.set(crypto)

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MACHINE_CERTIFICATE_HOURS = 24
const SERVER_CERTIFICATE_DAYS = 825
const AUTHORITY_DAYS = 3650
/** Clocks of machines differ a little: a certificate is valid from a minute before it was made. */
const BACKDATE_MS = 60_000
/** The controller's own is never made anew while it listens: it must outlive a clock that is set back. */
const OWN_BACKDATE_MS = DAY_MS

export type IssuedCertificate = { pem: string; serial: string; issuedAt: Date; expiresAt: Date }

/** The installation's own certificate authority: it signs its listener's certificate and those of machines. */
export class Authority {
  readonly pem: string
  /** SHA-256 of its certificate (hex): what a join token pins. */
  readonly pin: string
  readonly #keys: CryptoKeyPair
  readonly #publicKey: KeyObject
  readonly #subject: string
  readonly #clock: Clock

  constructor(made: { pem: string; keys: CryptoKeyPair; clock: Clock }) {
    const certificate = new X509Certificate(made.pem)
    this.pem = made.pem
    this.pin = createHash('sha256').update(certificate.raw).digest('hex')
    this.#keys = made.keys
    this.#publicKey = certificate.publicKey
    this.#subject = new x509.X509Certificate(made.pem).subject
    this.#clock = made.clock
  }

  /** Did this authority sign it? Asked of every client certificate, whatever the TLS library says of it. */
  hasSigned(certificate: X509Certificate): boolean {
    return certificate.verify(this.#publicKey)
  }

  /** A fresh key and certificate for the agents' listener, with the authority's own behind it. The key stays in memory. */
  async serverCredentials(): Promise<{ key: string; cert: string }> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const { pem } = await this.#issue(keys.publicKey, {
      name: AGENTS_SERVER_NAME,
      lifeMs: SERVER_CERTIFICATE_DAYS * DAY_MS,
      backdateMs: OWN_BACKDATE_MS,
      usage: x509.ExtendedKeyUsage.serverAuth,
      alternative: { type: 'dns', value: AGENTS_SERVER_NAME },
    })
    const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
    return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: `${pem}\n${this.pem}` }
  }

  /** A machine's certificate for 24 hours. Nothing of the request but its key is used. */
  issueMachine(machineId: string, publicKey: CryptoKey): Promise<IssuedCertificate> {
    return this.#issue(publicKey, {
      name: machineId,
      lifeMs: MACHINE_CERTIFICATE_HOURS * HOUR_MS,
      usage: x509.ExtendedKeyUsage.clientAuth,
      alternative: { type: 'url', value: `urn:berth:machine:${machineId}` },
    })
  }

  async #issue(
    publicKey: CryptoKey,
    about: { name: string; lifeMs: number; backdateMs?: number; usage: x509.ExtendedKeyUsage; alternative: x509.JsonGeneralName },
  ): Promise<IssuedCertificate> {
    const issuedAt = this.#clock.now()
    const expiresAt = new Date(issuedAt.getTime() + about.lifeMs)
    const serial = newSerial()
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial,
      subject: `CN=${about.name}`,
      issuer: this.#subject,
      notBefore: new Date(issuedAt.getTime() - (about.backdateMs ?? BACKDATE_MS)),
      notAfter: expiresAt,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      publicKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([about.usage], true),
        new x509.SubjectAlternativeNameExtension([about.alternative]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
      ],
    })
    return { pem: certificate.toString('pem'), serial: serial.toUpperCase(), issuedAt, expiresAt }
  }
}

/** A self-signed certificate for the authority's key pair. */
export async function authorityCertificate(keys: CryptoKeyPair, clock: Clock): Promise<string> {
  const now = clock.now().getTime()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=Berth installation ${randomBytes(4).toString('hex')}`,
    notBefore: new Date(now - OWN_BACKDATE_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return certificate.toString('pem')
}

/** 16 random bytes whose first neither is negative nor starts with zero, so that every form of it is equally long. */
function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}
