import type { Action } from './permissions'

/** What a ticket may be used for; a ticket for one purpose opens no other door. */
export const PURPOSES = [
  'http',
  'terminal-control',
  'terminal-view',
  'logs',
  'files-read',
  'files-write',
  'diff',
  'exec',
  'chat',
  'record',
  'outputs',
] as const
export type Purpose = (typeof PURPOSES)[number]

/** What its holder must be allowed, when the ticket is minted, when it is used, and for as long as its connection is open. */
export const PURPOSE_ACTIONS = {
  http: 'workload.open',
  'terminal-control': 'workload.open',
  'terminal-view': 'workload.watch',
  logs: 'workload.watch',
  'files-read': 'workload.open',
  'files-write': 'workload.open',
  diff: 'workload.open',
  exec: 'workload.open',
  chat: 'workload.open',
  record: 'workload.watch',
  outputs: 'workload.watch',
} as const satisfies Record<Purpose, Action>
