import type { Reason } from '@/domain/reasons'
import { refusedLine } from '@/domain/refused-line'
import type { TerminalMode } from '@/protocol/terminal'
import type { TerminalEvents, TerminalStatus } from './connection-events'

/** What a person is told about the terminal in front of them. The bytes themselves are not part of it. */
export type SessionLine = {
  status: TerminalStatus
  retryInMs: number | null
  mode: TerminalMode
  /** False until the gateway said who may type. */
  hasAttached: boolean
  /** A claim of ours lost: somebody else was first. */
  wasRefused: boolean
  /** Who else is here; `controller` null: nobody types. */
  viewers: number
  controller: string | null
  exit: { code: number | null } | null
  /** Bytes that this window did not get since it was last told. */
  skippedBytes: number
  size: { cols: number; rows: number } | null
  notice: Reason | null
}

export const FIRST_LINE: SessionLine = {
  status: 'connecting',
  retryInMs: null,
  mode: 'view',
  hasAttached: false,
  wasRefused: false,
  viewers: 0,
  controller: null,
  exit: null,
  skippedBytes: 0,
  size: null,
  notice: null,
}

export type LineEvent =
  | { [E in Exclude<keyof TerminalEvents, 'output'>]: { type: E; value: TerminalEvents[E] } }[Exclude<
      keyof TerminalEvents,
      'output'
    >]
  | { type: 'dismiss'; what: 'gap' | 'refused' | 'notice' }

const TOLD: Record<'gap' | 'refused' | 'notice', Partial<SessionLine>> = {
  gap: { skippedBytes: 0 },
  refused: { wasRefused: false },
  notice: { notice: null },
}

/** The next line after one event of the connection. Pure. */
export function nextLine(line: SessionLine, event: LineEvent): SessionLine {
  if (event.type === 'dismiss') return { ...line, ...TOLD[event.what] }
  if (event.type === 'status') return afterStatus(line, event.value)
  if (event.type === 'mode') return { ...line, mode: event.value.mode, wasRefused: event.value.wasRefused, hasAttached: true }
  if (event.type === 'presence') return { ...line, ...event.value }
  if (event.type === 'exit') return { ...line, exit: event.value }
  if (event.type === 'gap') return { ...line, skippedBytes: line.skippedBytes + event.value.to - event.value.from }
  // A refused host is a line of the terminal itself.
  if (event.type === 'notice') return refusedLine(event.value.reason) ? line : { ...line, notice: event.value.reason }
  return { ...line, size: { cols: event.value.cols, rows: event.value.rows } }
}

/** Who types and who watches, in words. `me` is the name under which others see this person. Pure. */
export function whoIsHere(line: SessionLine, me: string): { typer: string; watchers: string | null; isMine: boolean } {
  const isMine = line.hasAttached && line.mode === 'control'
  const others = line.viewers
  if (isMine)
    return { typer: 'You type', watchers: others > 0 ? `${others} ${others === 1 ? 'watches' : 'watch'}` : null, isMine }
  return { typer: typerOf(line.controller, me), watchers: others > 0 ? `you and ${others} more watch` : 'you watch', isMine }
}

function typerOf(controller: string | null, me: string): string {
  if (controller === null) return 'Nobody types'
  return controller === me ? 'You type in another window' : `${controller} types`
}

function afterStatus(line: SessionLine, { status, retryInMs }: TerminalEvents['status']): SessionLine {
  // A new connection begins a new life of the process as far as this window knows.
  const exit = status === 'connecting' ? null : line.exit
  return { ...line, status, retryInMs, exit, mode: status === 'open' ? line.mode : 'view' }
}

/** Was there a connection that is gone now? Pure. */
export function isLost({ status, hasAttached }: Pick<SessionLine, 'status' | 'hasAttached'>): boolean {
  return status === 'waiting' || (status === 'connecting' && hasAttached)
}
