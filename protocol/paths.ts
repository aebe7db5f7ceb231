/** Doors of an instance. `main`: its web server. `terminal`: its session-host. A number: that TCP port inside. */
const DOORS = ['main', 'terminal'] as const
export type Door = (typeof DOORS)[number]

/**
 * The Unix socket of one door of an instance on this machine. Computed from the placement id on both sides and never
 * taken from an agent's report. Stays under 100 bytes for every runtime directory of at most 45.
 */
export function doorSocket(runtimeDir: string, placementId: string, door: Door): string {
  return `${runtimeDir}/i/${placementId.replaceAll('-', '')}/${door}.sock`
}

/** `:authority` of a CONNECT stream in a tunnel: `<placementId>.<door>`. */
export function streamAuthority(placementId: string, door: Door): string {
  return `${placementId}.${door}`
}

/** Reads an authority; null when it names no placement or no door. */
export function parseAuthority(authority: string): { placementId: string; door: Door } | null {
  const match = /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\.(main|terminal)$/.exec(authority)
  if (!match?.[1]) return null
  return { placementId: match[1], door: match[2] as Door }
}
