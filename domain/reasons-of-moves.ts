import { named, optional, text } from './arguments'
import { byPerson, count, none, reason, word } from './reason'

/** What people did, and how a workload goes on in good order. */
export const MOVES = {
  paused_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `paused by ${a.person}` }),
  stop_soon: reason({
    severity: 'warn',
    args: named({ minutes: count, why: word }),
    text: (a) => `is parked in ${a.minutes} minutes: ${a.why}`,
  }),
  kept_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `kept running by ${a.person}` }),
  parked_idle: reason({
    severity: 'info',
    args: named({ minutes: count }),
    text: (a) => `parked: nothing happened for ${a.minutes} minutes`,
  }),
  parked_limit: reason({
    severity: 'info',
    args: named({ minutes: count }),
    text: (a) => `parked: it ran for its limit of ${a.minutes} minutes`,
  }),
  parked_schedule: reason({ severity: 'info', args: none, text: () => 'parked by its schedule' }),
  settings_changed: reason({ severity: 'info', args: byPerson, text: (a) => `settings changed by ${a.person}` }),
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
  placed: reason({ severity: 'info', args: named({ machine: word }), text: (a) => `placed on ${a.machine}` }),
  started: reason({ severity: 'good', args: none, text: () => 'is running' }),
  stage: reason({
    severity: 'info',
    args: named({ stage: word, detail: optional(word) }),
    text: (a) => (a.detail ? `${a.stage}: ${a.detail}` : a.stage),
  }),
  parked_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `parked by ${a.person}` }),
  parked: reason({ severity: 'info', args: none, text: () => 'stopped; its workspace is kept' }),
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
