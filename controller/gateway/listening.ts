import type { Server } from 'node:http'
import { AppError } from '@/domain/errors'

/** A machine without IPv6 has no second loopback address that another user could take. */
const NO_IPV6: readonly string[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Takes one loopback address; false when the machine has no such family. Errors: port_busy. */
export async function hold(server: Server, at: { host: string; port: number }): Promise<boolean> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ ...at, ipv6Only: true }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    return true
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (at.host === '::1' && NO_IPV6.includes(code)) return false
    if (code !== 'EADDRINUSE') throw cause
    const address = at.host === '::1' ? `[::1]:${at.port}` : `${at.host}:${at.port}`
    throw new AppError('port_busy', { address }, { cause })
  }
}
