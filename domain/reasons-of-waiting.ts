import { named, optional } from './arguments'
import { count, counted, gib, none, reason, word } from './reason'

/** Why something waits: none exist, none match, all busy, not allowed and pinned away are told apart. */
export const WAITING = {
  waiting_first_look: reason({ severity: 'info', args: none, text: () => 'waiting to be placed' }),
  no_machine: reason({ severity: 'warn', args: none, text: () => 'waiting: no machine has joined yet' }),
  waiting_no_gpu_class: reason({
    severity: 'warn',
    args: named({ class: word, machines: count }),
    text: (a) => `waiting for ${a.class}: none of ${counted(a.machines, 'machine')} has one`,
  }),
  waiting_no_gpus: reason({
    severity: 'warn',
    args: named({ machines: count }),
    text: (a) => `waiting for a GPU: none of ${counted(a.machines, 'machine')} has one`,
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
      `waiting for ${a.class}: asked ${a.devices}, ${a.free} free on ${counted(a.machines, 'machine')}; number ${a.position} in the queue`,
  }),
  waiting_cpu: reason({
    severity: 'info',
    args: named({ asked: count, free: count, total: count }),
    operatorOnly: ['free', 'total'],
    text: (a) =>
      a.asked > a.total
        ? `asks for ${counted(a.asked, 'CPU')}; the largest machine that could take it has ${a.total}`
        : `waiting for ${counted(a.asked, 'CPU')}: ${a.free} of ${a.total} free`,
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
  waiting_folders: reason({
    severity: 'warn',
    args: none,
    text: () => 'no machine of yours allows the folders that it asks for',
  }),
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
    text: (a) => `waiting: none of ${counted(a.machines, 'machine')} can be reached and takes work`,
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
  waiting_quarantine: reason({
    severity: 'warn',
    args: none,
    text: () =>
      'waiting: this database was restored; nothing starts until somebody has looked at the machines and leaves quarantine',
  }),
  waiting_reserved: reason({
    severity: 'info',
    args: named({ machine: word }),
    text: (a) => `waiting: what is free on ${a.machine} is kept for one that has waited longer`,
  }),
  waiting_orphan: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `waiting: a copy of it that the database does not know runs on ${a.machine}; adopt or stop that one first`,
  }),
  fits_now: reason({ severity: 'good', args: named({ machine: word }), text: (a) => `fits on ${a.machine}` }),
} as const

/** Every reason of a wait. */
export const WAIT_CODES: readonly string[] = Object.keys(WAITING)

const FOR_ROOM: readonly string[] = [
  'waiting_all_busy',
  'waiting_cpu',
  'waiting_memory',
  'waiting_disk',
  'waiting_reserved',
] satisfies (keyof typeof WAITING)[]

/** Does it wait for what something else will give back? Not what asks for more than there is. Pure. */
export function waitsForRoom({ code, args }: { code: string; args: Record<string, unknown> }): boolean {
  const isTooLarge = Number(args.asked) > Number(args.total) || Number(args.askedBytes) > Number(args.totalBytes)
  return FOR_ROOM.includes(code) && !isTooLarge
}
