/** Versions on the wire. A receiver accepts the current one and the one before it; others get a sentence, never a guess. */
export const PROTOCOL = { sync: 1, terminal: 1, host: 1 } as const

/** ALPN of a machine's tunnel; `http/1.1` on the same listener serves enrolment and agents' calls. */
export const TUNNEL_ALPN = 'berth-h2'

/** HTTP/2 settings of both tunnel ends: 2 MiB a stream, 32 MiB a connection. Source: docs/adr/0004-tunnel.md. */
export const TUNNEL = {
  streamWindowBytes: 2 * 2 ** 20,
  connectionWindowBytes: 32 * 2 ** 20,
  streamsMax: 1000,
  pingEveryMs: 15_000,
  pingDeadlineMs: 10_000,
  reconnectBaseMs: 250,
  reconnectCapMs: 30_000,
} as const

/** Closing codes of the terminal socket. */
export const CLOSE = { normal: 1000, policy: 1008, protocol: 4400, unauthorized: 4401, gone: 4410, restarting: 4503 } as const
