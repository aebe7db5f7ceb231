import { z } from 'zod'

/** Name in the certificate of the agents' listener; also checked over a Unix socket. */
export const AGENTS_SERVER_NAME = 'agents.berth.internal'

/** `POST /v1/enrol` on the agents' listener, HTTP/1.1 over TLS. The token ends in `.` and the CA's SHA-256 (hex). */
export const enrolRequest = z.strictObject({
  token: z.string().max(300),
  /** PEM PKCS#10 with a P-256 key; only its key is used, its subject and extensions are ignored. */
  csr: z.string().max(8_000),
})
export type EnrolRequest = z.infer<typeof enrolRequest>

/** Certificate for 24 h; renewed at 16 h by `POST /v1/renew` with the same shape less the token. */
export const enrolAnswer = z.strictObject({
  machineId: z.uuid(),
  certificate: z.string().max(8_000),
  ca: z.string().max(8_000),
})
export type EnrolAnswer = z.infer<typeof enrolAnswer>

/** What the controller sends its Solo agent by IPC at each start. */
export const agentLaunch = z.strictObject({
  type: z.literal('launch'),
  /** Unix socket of the agents' listener. */
  socket: z.string().max(100),
  joinToken: z.string().max(300),
})
export type AgentLaunch = z.infer<typeof agentLaunch>
