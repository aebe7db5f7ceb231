'use client'
import { useSyncExternalStore } from 'react'
import { onTick, tickMs } from './clock'
import { durationText } from './duration'

const SHAPE = {
  /** `14:36` */
  clock: { hour: '2-digit', minute: '2-digit' },
  /** `14:36:07` */
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** `12 Mar, 14:36` */
  date: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  /** `Thursday 12 March 2026 at 14:36:07 CET` */
  exact: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
/** `near`: the clock of today, the date of any other day. */
type Shape = keyof typeof SHAPE | 'near'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A moment in words, in the time zone of this process or browser, or in UTC. */
export function momentText(at: Date, asked: Shape, timeZone?: 'UTC'): string {
  const shape = asked === 'near' ? nearShape(at) : asked
  const key = `${shape} ${timeZone ?? ''}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...SHAPE[shape], ...(timeZone && { timeZone }) })
  formats.set(key, format)
  return format.format(at)
}

function nearShape(at: Date): 'clock' | 'date' {
  return at.toDateString() === new Date().toDateString() ? 'clock' : 'date'
}

const never = () => () => {}

/** Words that depend on the time: renders again only when they change. `say` must be pure. */
export function useTicking(say: (nowMs: number) => string): string {
  return useSyncExternalStore(
    onTick,
    () => say(tickMs()),
    () => say(Date.now()),
  )
}

type AgeProps = { at: Date; className?: string; suffix?: string }

/** How long ago, ticking by itself: it renders again only when its own words change. Exact on hover. */
export function Age({ at, className, suffix = '' }: AgeProps) {
  const text = useTicking((nowMs) => durationText(nowMs - at.getTime()))
  return (
    <time dateTime={at.toISOString()} title={useLocal(at, 'exact')} className={className} suppressHydrationWarning>
      {text + suffix}
    </time>
  )
}

/** A moment in the reader's own time zone. Exact on hover. */
export function Moment({ at, shape = 'clock', className }: { at: Date; shape?: Shape; className?: string }) {
  return (
    <time dateTime={at.toISOString()} title={useLocal(at, 'exact')} className={className}>
      {useLocal(at, shape)}
    </time>
  )
}

/** The server does not know the reader's time zone: both first say UTC, then the browser says its own. */
function useLocal(at: Date, shape: Shape): string {
  return useSyncExternalStore(
    never,
    () => momentText(at, shape),
    () => momentText(at, shape, 'UTC'),
  )
}
