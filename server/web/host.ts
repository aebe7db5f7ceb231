import { addresses } from '@/domain/settings'

/**
 * Which of our names a request was sent to. `dashboard`: the one host that serves Berth. `loopback`: a plain address of
 * this machine, which answers nothing but the page that leads to the dashboard. `other`: misdirected, for example by a
 * name that an attacker points here.
 */
export type HostKind = 'dashboard' | 'loopback' | 'other'

/** Compares the `Host` header byte for byte; no trimming, no case folding, no forwarded header. */
export function hostKind(host: string | null, port: number): HostKind {
  if (host === addresses(port).dashboardHost) return 'dashboard'
  return host === `localhost:${port}` || host === `127.0.0.1:${port}` || host === `[::1]:${port}` ? 'loopback' : 'other'
}
