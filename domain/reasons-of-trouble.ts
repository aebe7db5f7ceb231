import { integer, named, oneOf, optional, text } from './arguments'
import { FOLDER_CAUSE_NAMES, FOLDER_CAUSES } from './folder-causes'
import { LIMITS } from './limits'
import { count, none, reason, word } from './reason'

/** What broke or had to be forced, and what Berth did about it. */
export const TROUBLE = {
  mount_refused: reason({
    severity: 'bad',
    // The cause is missing in what an older version wrote.
    args: named({
      folder: optional(text(LIMITS.pathChars)),
      cause: optional(oneOf(FOLDER_CAUSE_NAMES)),
      uid: optional(integer(0)),
    }),
    text: ({ folder = 'a folder', cause, uid }) =>
      `could not show ${folder} inside: ${cause ? FOLDER_CAUSES[cause](uid === undefined ? { folder } : { folder, uid }) : 'the log says why'}`,
  }),
  python_unusable: reason({
    severity: 'bad',
    args: none,
    text: () => 'the chosen Python cannot be the kernel: it needs version 3.11 or newer and ipykernel; the log says which',
  }),
  park_forced: reason({
    severity: 'warn',
    args: named({ seconds: count }),
    text: (a) => `did not stop within ${a.seconds} s; its processes were ended`,
  }),
  removed_later: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `removed; what is left on ${a.machine} is destroyed when it is back`,
  }),
  removed_without_driver: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `removed; ${a.machine} has no driver for it any more, so its files may still lie there`,
  }),
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
  command_missing: reason({
    severity: 'bad',
    args: named({ command: optional(word) }),
    text: ({ command }) => `could not start: there is no program ${command ?? 'of that name'}`,
  }),
  command_refused: reason({
    severity: 'bad',
    args: named({ command: optional(word) }),
    text: ({ command = 'its program' }) => `could not start: ${command} cannot be executed`,
  }),
  environment_failed: reason({
    severity: 'bad',
    args: named({ package: optional(word) }),
    text: (a) =>
      `its environment could not be built${a.package ? `: ${a.package}` : ''}; the log says why${a.package ? ', and its packages can be changed before it starts again' : ''}`,
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
    text: (a) => `its main process ended with exit code ${a.exitCode}`,
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
  ended_with_berth: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `all of Berth on ${a.machine} was stopped, and this with it; the workspace is there`,
  }),
  machine_lost_it: reason({
    severity: 'bad',
    args: named({ machine: word }),
    text: (a) => `${a.machine} is back and no longer has it`,
  }),
  machine_gone: reason({
    severity: 'bad',
    args: named({ machine: word }),
    text: (a) => `the owner of ${a.machine} says that it is gone for good`,
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
    text: () => 'starts again, as its settings say for a restart of its machine or of Berth',
  }),
  look_ended: reason({
    severity: 'info',
    args: named({ minutes: count }),
    text: (a) => `was kept ${a.minutes} minutes for a look; what was left of it is ended, its workspace is kept`,
  }),
  look_extended: reason({
    severity: 'info',
    args: named({ person: text(80), minutes: count }),
    text: (a) => `kept ${a.minutes} minutes longer for a look, by ${a.person}`,
  }),
  look_gone: reason({ severity: 'info', args: none, text: () => 'nothing of it runs any more; its workspace is kept' }),
  stray_ended: reason({
    severity: 'info',
    args: named({ machine: word }),
    text: (a) => `an older copy of it on ${a.machine} is ended`,
  }),
  came_back: reason({ severity: 'good', args: named({ machine: word }), text: (a) => `${a.machine} has it after all` }),
  came_back_no_room: reason({
    severity: 'warn',
    args: named({ machine: word }),
    text: (a) => `${a.machine} has it after all, but its room was given to others; it is taken back once there is room`,
  }),
  host_outdated: reason({
    severity: 'warn',
    args: none,
    text: () => "runs in an older version of Berth's host; restart it to update",
  }),
  egress_denied: reason({ severity: 'warn', args: named({ host: text(253) }), text: (a) => `refused a connection to ${a.host}` }),
  egress_volume: reason({
    severity: 'warn',
    args: named({ host: text(253), mib: count }),
    text: (a) => `sent more than ${a.mib} MiB to ${a.host}, which it may reach`,
  }),
  egress_denied_often: reason({
    severity: 'warn',
    args: named({ host: text(253), count }),
    text: (a) => `refused ${a.count} connections to ${a.host} so far`,
  }),
} as const
