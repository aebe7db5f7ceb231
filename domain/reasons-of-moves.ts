import { named, oneOf, optional, text } from './arguments'
import { byPerson, count, counted, none, reason, word } from './reason'

type Parked = { person?: string; minutes?: number }
/** Why somebody or something parks it: said when it begins to stop, and again for as long as it is parked. */
const PARKED_AFTER = {
  parked_by_person: ({ person = 'somebody' }: Parked) => `parked by ${person}`,
  parked_idle: ({ minutes = 0 }: Parked) => `parked: nothing happened for ${minutes} minutes`,
  parked_limit: ({ minutes = 0 }: Parked) => `parked: it ran for its limit of ${minutes} minutes`,
  parked_schedule: () => 'parked by its schedule',
} as const
/** The reasons to park that a parked workload goes on to tell. */
export const PARKED_AFTER_NAMES = Object.keys(PARKED_AFTER) as (keyof typeof PARKED_AFTER)[]

/** What people did, and how a workload goes on in good order. */
export const MOVES = {
  paused_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `paused by ${a.person}` }),
  stop_soon: reason({
    severity: 'warn',
    args: named({ minutes: count, why: word }),
    text: (a) => `parks in ${a.minutes} minutes: ${a.why}`,
  }),
  stop_called_off: reason({
    severity: 'info',
    args: named({ why: word }),
    text: (a) => `does not park after all: ${a.why}`,
  }),
  kept_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `kept running by ${a.person}` }),
  parked_idle: reason({ severity: 'info', args: named({ minutes: count }), text: PARKED_AFTER.parked_idle }),
  parked_limit: reason({ severity: 'info', args: named({ minutes: count }), text: PARKED_AFTER.parked_limit }),
  parked_schedule: reason({ severity: 'info', args: none, text: PARKED_AFTER.parked_schedule }),
  settings_changed: reason({ severity: 'info', args: byPerson, text: (a) => `settings changed by ${a.person}` }),
  packages_changed: reason({
    severity: 'info',
    args: byPerson,
    text: (a) => `packages changed by ${a.person}; its next start installs them`,
  }),
  shared_by_person: reason({
    severity: 'info',
    args: named({ person: text(80), with: text(80), level: word }),
    text: (a) => `shared with ${a.with} (${a.level}) by ${a.person}`,
  }),
  unshared_by_person: reason({
    severity: 'info',
    args: named({ person: text(80), with: text(80) }),
    text: (a) => `no longer shared with ${a.with}; changed by ${a.person}`,
  }),
  adopted_by_person: reason({
    severity: 'good',
    args: named({ person: text(80), machine: word }),
    text: (a) => `adopted by ${a.person}: it was running on ${a.machine}`,
  }),
  created: reason({ severity: 'info', args: byPerson, text: (a) => `created by ${a.person}` }),
  placed: reason({
    severity: 'info',
    args: named({ machine: word, waitedMinutes: optional(count) }),
    text: (a) => `placed on ${a.machine}${a.waitedMinutes ? ` after ${counted(a.waitedMinutes, 'minute')} of waiting` : ''}`,
  }),
  started: reason({ severity: 'good', args: none, text: () => 'is running' }),
  stage: reason({
    severity: 'info',
    args: named({ stage: word, detail: optional(word) }),
    text: (a) => (a.detail ? `${a.stage}: ${a.detail}` : a.stage),
  }),
  parked_by_person: reason({ severity: 'info', args: byPerson, text: PARKED_AFTER.parked_by_person }),
  parked: reason({
    severity: 'info',
    args: named({ after: optional(oneOf(PARKED_AFTER_NAMES)), person: optional(text(80)), minutes: optional(count) }),
    text: ({ after, ...a }) => `${after ? PARKED_AFTER[after](a) : 'stopped'}; its workspace is kept`,
  }),
  resumed_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `resumed by ${a.person}` }),
  restarted_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `restarted by ${a.person}` }),
  restart_goes_on: reason({ severity: 'info', args: none, text: () => 'is stopped; it starts again now' }),
  recovered_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `recovered by ${a.person}` }),
  deleted_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `deleted by ${a.person}` }),
  canceled_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `canceled by ${a.person}` }),
  renamed_by_person: reason({
    severity: 'info',
    args: named({ person: text(80), name: word }),
    text: (a) => `renamed to ${a.name} by ${a.person}`,
  }),
  opened_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `opened by ${a.person}` }),
  removed: reason({ severity: 'info', args: none, text: () => 'removed; nothing of it is left' }),
  frozen: reason({ severity: 'info', args: none, text: () => 'is frozen in memory' }),
  thawed: reason({ severity: 'good', args: none, text: () => 'runs again' }),
  stage_ended: reason({ severity: 'info', args: none, text: () => 'its main process ended' }),
} as const
