'use client'
import { useSyncExternalStore } from 'react'
import { onTick, tickMs } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import type { WorkloadView } from '@/domain/views'
import { reasonSentence, whatDiffers } from './words'

/** The reason of a workload; `className` says how many lines it may take. Amber means that it needs someone; the whole sentence is on hover. */
export function ReasonText({ workload, className }: { workload: WorkloadView; className?: string }) {
  // The words of a silent machine count its seconds; all others stay the same and render nothing new.
  const text = useSyncExternalStore(
    onTick,
    () => whatDiffers(workload, tickMs()).text,
    () => whatDiffers(workload, Date.now()).text,
  )
  const { needsSomeone } = whatDiffers(workload, tickMs())
  const whole = workload.reason ? reasonSentence(workload.reason) : undefined
  return (
    <span className={cn(needsSomeone ? 'text-warn' : 'text-ink-2', className)} title={whole} suppressHydrationWarning>
      {text}
    </span>
  )
}
