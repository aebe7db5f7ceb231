/** The three kinds of workload. A kind is data: state machine, queue and placement are the same for all. */
export const KINDS = {
  notebook: { label: 'Notebook', one: 'a notebook', rebootPolicy: 'stay' },
  endpoint: { label: 'Endpoint', one: 'an endpoint', rebootPolicy: 'resume' },
  session: { label: 'Session', one: 'a session', rebootPolicy: 'resume' },
} as const satisfies Record<string, { label: string; one: string; rebootPolicy: 'resume' | 'stay' }>
export type Kind = keyof typeof KINDS
/** The names of the rows, for schemas and loops. */
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]]

/** What a person may be in a tenant, the most powerful first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]
/** A viewer looks; everybody else may also start something. */
export const mayCreate = (role: Role): boolean => role !== 'viewer'

/** Whether code of a tenant may run in a mere sandbox. */
export const TRUST = ['trusted', 'untrusted'] as const
export type Trust = (typeof TRUST)[number]
