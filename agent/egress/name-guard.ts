import { Transform } from 'node:stream'
import { GREETING_BYTES_MAX, readGreeting } from './server-name'
import { canonicalHost, type Target } from './target'

/** A tunnel whose greeting asks for another host than the one that was judged. */
export class OtherName extends Error {
  constructor() {
    super('the TLS greeting names another host than the tunnel')
    this.name = 'OtherName'
  }
}

/**
 * Carries what a program sends into its tunnel. The first bytes wait until it is clear whom a TLS greeting asks for:
 * behind a shared address another name would reach another host. Ends with OtherName when they differ.
 */
export function nameGuard({ host, isLiteral }: Target): Transform {
  let waiting: Buffer | null = isLiteral ? null : Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (waiting === null) return done(null, chunk)
      waiting = Buffer.concat([waiting, chunk])
      const greeting = readGreeting(waiting)
      if (greeting.state === 'partial' && waiting.byteLength < GREETING_BYTES_MAX) return done()
      if (greeting.state === 'named' && canonicalHost(greeting.host) !== host) return done(new OtherName())
      const held = waiting
      waiting = null
      done(null, held)
    },
    flush(done) {
      done(null, waiting ?? undefined)
    },
  })
}
