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
] as const
export type Purpose = (typeof PURPOSES)[number]
