'use client'
import { tickMs } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { Status } from '@/components/ui/status'
import { useTicking } from '@/components/ui/time'
import type { MachineView } from '@/domain/views'
import { machineLook } from './machine-look'

/** The one thing about a machine that somebody should know first; a silence counts up by itself. */
export function MachineStatus({ machine, isShort, className }: { machine: MachineView; isShort?: boolean; className?: string }) {
  const word = useTicking((nowMs) => machineLook(machine, nowMs)[isShort ? 'short' : 'word'])
  const { icon, tone, isMoving } = machineLook(machine, tickMs())
  return (
    <span className={className} suppressHydrationWarning>
      <Status icon={icon} tone={tone} isMoving={isMoving} className={cn(isShort && 'gap-1 font-normal')}>
        {word}
      </Status>
    </span>
  )
}
