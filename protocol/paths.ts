/** Doors of an instance. `main`: its web server. `terminal`: its session-host. A number: that TCP port inside. */
export type Door = 'main' | 'terminal' | number
const PORT_MAX = 65_535

/**
 * The Unix socket of one door of an instance on this machine. Computed from the placement id on both sides and never
 * taken from an agent's report. Stays under 100 bytes for every runtime directory of at most 45.
 */
export function doorSocket(runtimeDir: string, placementId: string, door: Door): string {
  return `${runtimeDir}/i/${placementId.replaceAll('-', '')}/${typeof door === 'number' ? PORTS_DOOR : door}.sock`
}

/** The one socket that leads to every port inside; who opens it says which one first (`protocol/ports.ts`). */
export const PORTS_DOOR = 'ports'

/**
 * Token of a server that has no network namespace of its own, 0600 beside its door. Where the file is there, whoever opens
 * `main` adds `Authorization: token <its text>` to every request; nobody else can.
 */
export function doorTokenFile(runtimeDir: string, placementId: string): string {
  return `${runtimeDir}/i/${placementId.replaceAll('-', '')}/token`
}

/** `:authority` of a CONNECT stream in a tunnel: `<placementId>.<door>`. */
export function streamAuthority(placementId: string, door: Door): string {
  return `${placementId}.${door}`
}

/** Reads an authority; null when it names no placement or no door. */
export function parseAuthority(authority: string): { placementId: string; door: Door } | null {
  const match = AUTHORITY.exec(authority)
  const [, placementId, door] = match ?? []
  if (placementId === undefined || door === undefined) return null
  if (door === 'main' || door === 'terminal') return { placementId, door }
  const port = parsePort(door)
  return port === null ? null : { placementId, door: port }
}
const AUTHORITY = /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\.([a-z]+|\d+)$/

/** A TCP port in its one way of writing; null for everything else. */
export function parsePort(text: string): number | null {
  if (!/^[1-9]\d{0,4}$/.test(text)) return null
  return Number(text) <= PORT_MAX ? Number(text) : null
}
