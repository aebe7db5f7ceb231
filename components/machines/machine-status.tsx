'use client'
import { Unplug } from 'lucide-react'
import { useLiveStatus } from '@/components/api/live'
import { tickMs } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { Status } from '@/components/ui/status'
import { useTicking } from '@/components/ui/time'
import type { MachineView } from '@/domain/views'
import { machineLook, wasWord } from './machine-look'

/** The one thing about a machine that somebody should know first; a silence counts up by itself. */
export function MachineStatus({ machine, isShort, className }: { machine: MachineView; isShort?: boolean; className?: string }) {
  const word = useTicking((nowMs) => machineLook(machine, nowMs)[isShort ? 'short' : 'word'])
  const { icon, tone, isMoving } = machineLook(machine, tickMs())
  const isOld = useLiveStatus() === 'reconnecting' && tone === 'good'
  return (
    <span className={className} suppressHydrationWarning>
      <Status
        icon={isOld ? Unplug : icon}
        tone={isOld ? 'ink-3' : tone}
        isMoving={isMoving}
        className={cn(isShort && 'gap-1 font-normal')}
      >
        {isOld ? wasWord(word) : word}
      </Status>
    </span>
  )
}
