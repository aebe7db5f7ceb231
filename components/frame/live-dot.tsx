'use client'
import { Activity, type LucideIcon, Unplug } from 'lucide-react'
import { useLiveStatus } from '@/components/api/live'
import type { LiveStatus } from '@/components/api/live-tab'
import { cn } from '@/components/ui/cn'
import { TONE_TEXT, type Tone } from '@/components/ui/tone'

const LOOK: Record<LiveStatus, { word: string; icon: LucideIcon; tone: Tone; hint: string }> = {
  connecting: { word: 'Connecting', icon: Activity, tone: 'ink-3', hint: 'Changes will arrive by themselves' },
  live: { word: 'Live', icon: Activity, tone: 'good', hint: 'Changes arrive by themselves' },
  reconnecting: {
    word: 'Reconnecting',
    icon: Unplug,
    tone: 'warn',
    hint: 'Berth does not answer; what you see may be old. What runs on your machines goes on.',
  },
  ended: { word: 'Signed out', icon: Unplug, tone: 'warn', hint: 'Sign in again' },
}

type Props = { isIconOnly?: boolean; className?: string; isQuietWhenLive?: boolean }

/** Whether this page is live. `isQuietWhenLive`: shown only when it is not. */
export function LiveDot({ isIconOnly, className, isQuietWhenLive }: Props) {
  const status = useLiveStatus()
  const { word, icon: Icon, tone, hint } = LOOK[status]
  if (isQuietWhenLive && (status === 'live' || status === 'connecting')) return null
  return (
    <span role="status" title={hint} className={cn('flex items-center gap-2', className)}>
      <Icon className={cn('shrink-0', TONE_TEXT[tone], isIconOnly ? 'size-4' : 'size-3.5')} aria-hidden />
      <span className={cn(isIconOnly && 'sr-only', tone === 'warn' && 'text-warn')}>{word}</span>
    </span>
  )
}
