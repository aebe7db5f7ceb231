import { type Arguments, integer, named, optional, type Shape, text, type Values } from './arguments'

export type Severity = 'info' | 'good' | 'warn' | 'bad'
type ReasonRow<S extends Shape> = {
  severity: Severity
  args: Arguments<S>
  /** Arguments that only trusted tenants and operators may see; stripped on write for others. */
  operatorOnly?: readonly string[]
  text: (args: Values<S>) => string
}
const reason = <S extends Shape>(row: ReasonRow<S>) => row
const none = named({})
const count = integer(0)
const word = text(100)
const byPerson = named({ person: text(80) })

/** Every reason that a state change, a note or a wait can have. Foreign text never enters one. */
export const REASONS = {
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
  park_forced: reason({
    severity: 'warn',
    args: named({ seconds: count }),
    text: (a) => `did not stop within ${a.seconds} s; its processes were ended`,
  }),
  resumed_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `resumed by ${a.person}` }),
  restarted_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `restarted by ${a.person}` }),
  recovered_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `recovered by ${a.person}` }),
  deleted_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `deleted by ${a.person}` }),
  renamed_by_person: reason({
    severity: 'info',
    args: named({ person: text(80), name: word }),
    text: (a) => `renamed to ${a.name} by ${a.person}`,
  }),
  opened_by_person: reason({ severity: 'info', args: byPerson, text: (a) => `opened by ${a.person}` }),
  removed: reason({ severity: 'info', args: none, text: () => 'removed; nothing of it is left' }),
  removed_later: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `removed; what is left on ${a.machine} is destroyed when it is back`,
  }),
  waiting_first_look: reason({ severity: 'info', args: none, text: () => 'waiting to be placed' }),
  no_machine: reason({ severity: 'warn', args: none, text: () => 'waiting: no machine has joined yet' }),
  waiting_no_gpu_class: reason({
    severity: 'warn',
    args: named({ class: word, machines: count }),
    text: (a) => `waiting for ${a.class}: none of ${a.machines} ${a.machines === 1 ? 'machine' : 'machines'} has one`,
  }),
  waiting_no_gpus: reason({
    severity: 'warn',
    args: named({ machines: count }),
    text: (a) => `waiting for a GPU: none of ${a.machines} ${a.machines === 1 ? 'machine' : 'machines'} has one`,
  }),
  waiting_gpu_class_elsewhere: reason({
    severity: 'warn',
    args: named({ class: word, machines: count }),
    text: (a) =>
      `waiting for ${a.class}: ${a.machines} ${a.machines === 1 ? 'machine has' : 'machines have'} it, but cannot take this now`,
  }),
  waiting_gpus_too_many: reason({
    severity: 'warn',
    args: named({ class: word, asked: count, largest: count }),
    text: (a) => `asks for ${a.asked} × ${a.class}; the largest machine that could take it has ${a.largest}`,
  }),
  waiting_all_busy: reason({
    severity: 'info',
    args: named({ class: word, devices: count, free: count, machines: count, position: count }),
    operatorOnly: ['machines', 'free'],
    text: (a) =>
      `waiting for ${a.class}: asked ${a.devices}, ${a.free} free on ${a.machines} ${a.machines === 1 ? 'machine' : 'machines'}; number ${a.position} in the queue`,
  }),
  waiting_cpu: reason({
    severity: 'info',
    args: named({ asked: count, free: count, total: count }),
    operatorOnly: ['free', 'total'],
    text: (a) =>
      a.asked > a.total
        ? `asks for ${a.asked} CPUs; the largest machine that could take it has ${a.total}`
        : `waiting for ${a.asked} CPUs: ${a.free} of ${a.total} free`,
  }),
  waiting_memory: reason({
    severity: 'info',
    args: named({ askedBytes: count, freeBytes: count, totalBytes: count }),
    operatorOnly: ['freeBytes', 'totalBytes'],
    text: (a) =>
      a.askedBytes > a.totalBytes
        ? `asks for ${gib(a.askedBytes)} of memory; the largest machine that could take it has ${gib(a.totalBytes)}`
        : `waiting for ${gib(a.askedBytes)} of memory: ${gib(a.freeBytes)} of ${gib(a.totalBytes)} free`,
  }),
  waiting_disk: reason({
    severity: 'info',
    args: named({ askedBytes: count, freeBytes: count, totalBytes: optional(count) }),
    operatorOnly: ['freeBytes', 'totalBytes'],
    text: (a) =>
      a.totalBytes !== undefined && a.askedBytes > a.totalBytes
        ? `asks for ${gib(a.askedBytes)} of disk; the largest machine that could take it has ${gib(a.totalBytes)}`
        : `waiting for ${gib(a.askedBytes)} of disk: ${gib(a.freeBytes)} free`,
  }),
  waiting_isolation: reason({
    severity: 'warn',
    args: named({ machines: count }),
    text: (a) => `no machine isolates well enough for you: ${a.machines} of ${a.machines} run without a sandbox`,
  }),
  waiting_not_shared: reason({ severity: 'warn', args: none, text: () => 'no machine is shared with you' }),
  waiting_region: reason({ severity: 'warn', args: named({ region: word }), text: (a) => `no machine in region ${a.region}` }),
  waiting_runtime: reason({
    severity: 'warn',
    args: named({ runtime: word, machines: count }),
    text: (a) => `no machine can run ${a.runtime} (${a.machines} looked at)`,
  }),
  waiting_machine_away: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `waiting for ${a.machine}: it holds the workspace and cannot be reached`,
  }),
  waiting_machines_away: reason({
    severity: 'warn',
    args: named({ machines: count }),
    text: (a) => `waiting: none of ${a.machines} ${a.machines === 1 ? 'machine' : 'machines'} can be reached and takes work`,
  }),
  waiting_machine_closed: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `waiting for ${a.machine}: it takes no new work now`,
  }),
  waiting_chosen_away: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `waiting for ${a.machine}: it was chosen by hand and cannot be reached`,
  }),
  waiting_machine_gone: reason({
    severity: 'bad',
    args: none,
    text: () => 'waiting: the machine that it needs is not part of Berth any more',
  }),
  fits_now: reason({ severity: 'good', args: named({ machine: word }), text: (a) => `fits on ${a.machine}` }),
  retry_capacity: reason({
    severity: 'warn',
    args: named({ machine: word, attempt: count }),
    text: (a) => `${a.machine} had no room after all; back in the queue (attempt ${a.attempt})`,
  }),
  retry_vanished: reason({
    severity: 'warn',
    args: named({ machine: word, attempt: count }),
    text: (a) => `${a.machine} does not have it; back in the queue (attempt ${a.attempt})`,
  }),
  start_failed: reason({
    severity: 'bad',
    args: named({ stage: word }),
    text: (a) => `could not start: ${a.stage} failed; the log says why`,
  }),
  environment_failed: reason({
    severity: 'bad',
    args: named({ package: optional(word) }),
    text: (a) => `its environment could not be built${a.package ? `: ${a.package}` : ''}; the log says why`,
  }),
  no_python: reason({
    severity: 'bad',
    args: none,
    text: () => 'this machine has no Python 3.11 or newer that a sandbox may use; install python3 and python3-venv',
  }),
  disk_full: reason({ severity: 'bad', args: none, text: () => 'the disk of its machine is full' }),
  out_of_memory: reason({ severity: 'bad', args: none, text: () => 'ran out of memory' }),
  process_ended: reason({
    severity: 'bad',
    args: named({ exitCode: integer() }),
    text: (a) => `its server ended with exit code ${a.exitCode}`,
  }),
  start_stalled: reason({
    severity: 'bad',
    args: named({ seconds: count, stage: word }),
    text: (a) => `no progress for ${a.seconds} s in ${a.stage}`,
  }),
  attempts_spent: reason({
    severity: 'bad',
    args: named({ attempts: count }),
    text: (a) => `gave up after ${a.attempts} attempts`,
  }),
  machine_rebooted: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `${a.machine} was restarted; the workspace is there`,
  }),
  machine_lost_it: reason({
    severity: 'bad',
    args: named({ machine: word }),
    text: (a) => `${a.machine} is back and no longer has it`,
  }),
  driver_missing: reason({
    severity: 'bad',
    args: named({ machine: word }),
    text: (a) => `${a.machine} has lost the driver that it needs; the machine's page says why`,
  }),
  workspace_gone: reason({
    severity: 'bad',
    args: named({ machine: word }),
    text: (a) => `its workspace is not on ${a.machine} any more`,
  }),
  resumed_by_policy: reason({
    severity: 'info',
    args: none,
    text: () => 'starts again, as its settings say for a restart of its machine',
  }),
  frozen: reason({ severity: 'info', args: none, text: () => 'is frozen in memory' }),
  thawed: reason({ severity: 'good', args: none, text: () => 'runs again' }),
  look_ended: reason({
    severity: 'info',
    args: named({ minutes: count }),
    text: (a) => `was kept ${a.minutes} minutes for a look; what was left of it is ended, its workspace is kept`,
  }),
  look_gone: reason({ severity: 'info', args: none, text: () => 'nothing of it runs any more; its workspace is kept' }),
  stray_ended: reason({
    severity: 'info',
    args: named({ machine: word }),
    text: (a) => `an older copy of it on ${a.machine} is ended`,
  }),
  came_back: reason({ severity: 'good', args: named({ machine: word }), text: (a) => `${a.machine} has it after all` }),
  stage_ended: reason({ severity: 'info', args: none, text: () => 'its main process ended' }),
  egress_denied: reason({ severity: 'warn', args: named({ host: word }), text: (a) => `refused a connection to ${a.host}` }),
} as const
export type ReasonCode = keyof typeof REASONS
export const REASON_CODES = Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]
export type ReasonArgs<C extends ReasonCode> = (typeof REASONS)[C]['args'] extends Arguments<infer S> ? Values<S> : never
/** What is stored and sent: code and arguments; the text is made where it is shown. */
export type Reason<C extends ReasonCode = ReasonCode> = { code: C; args: Record<string, unknown> }

/** The only way to make a reason: a missing or foreign argument does not compile. */
export function because<C extends ReasonCode>(code: C, args: ReasonArgs<C>): Reason<C> {
  return { code, args: args as Record<string, unknown> }
}

/** The sentence of a reason. Arguments that were stripped, or written by another version, never break a page. */
export function reasonText(r: { code: string; args: Record<string, unknown> }): string {
  const row = (REASONS as unknown as Record<string, ReasonRow<Shape> | undefined>)[r.code]
  if (!row) return 'for a reason that this version does not know'
  const args = row.args.safeParse(r.args)
  return args.success ? row.text(args.data) : r.code.replaceAll('_', ' ')
}

export function reasonSeverity(code: string): Severity {
  return (REASONS as unknown as Record<string, ReasonRow<Shape> | undefined>)[code]?.severity ?? 'info'
}

function gib(bytes: number): string {
  return `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`
}
