'use client'
import { CircleDot, LoaderCircle, type LucideIcon, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { DRIVERS, type DriverRow } from '@/domain/drivers'
import type { WorkloadView } from '@/domain/views'
import type { TerminalStatus } from './connection-events'
import type { SessionLine } from './session-line'

const LOOK: Record<TerminalStatus, { icon: LucideIcon; word: string; className: string }> = {
  connecting: { icon: LoaderCircle, word: 'Connecting', className: 'text-term-blue [&_svg]:animate-spin' },
  open: { icon: CircleDot, word: 'Connected', className: 'text-term-green' },
  waiting: { icon: Unplug, word: 'Connection lost', className: 'text-term-amber' },
  ended: { icon: Unplug, word: 'Closed', className: 'text-term-amber' },
  closed: { icon: Unplug, word: 'Closed', className: 'text-term-dim' },
}
const ISOLATION_WORDS = {
  none: 'no sandbox',
  sandbox: 'sandbox',
  container: 'container',
  cluster: 'cluster',
  vm: 'virtual machine',
} as const
const FLASH_MS = 1500

type Props = { workload: WorkloadView; line: SessionLine; mayType: boolean; refusedAt: number }

/** The line under the terminal: connection, size, where it runs, and why keys do nothing when they do nothing. */
export function StatusBar({ workload, line, mayType, refusedAt }: Props) {
  const { icon: Icon, word, className } = LOOK[line.status]
  const isFlashing = useFlash(refusedAt)
  const isWatching = line.status === 'open' && line.mode === 'view'
  const { placement } = workload
  return (
    <div className="flex h-8 shrink-0 items-center gap-4 overflow-hidden border-t border-term-line bg-term px-4 text-small whitespace-nowrap text-term-dim max-md:hidden">
      <span className={cn('flex items-center gap-1.5', className)} role="status">
        <Icon className="size-3 shrink-0" aria-hidden />
        {word}
      </span>
      {line.size ? (
        <span className="num">
          {line.size.cols} × {line.size.rows}
        </span>
      ) : null}
      {placement ? (
        <span>
          {placement.machineName} · {isolationOf(placement.driver)}
        </span>
      ) : null}
      {isWatching ? (
        <span role="status" className={cn('ml-auto truncate', isFlashing && 'text-term-amber')}>
          Watching: your keys are not sent.
          {mayType ? (
            <>
              {' '}
              Take control with <span className="font-mono">⌘↵</span> or <span className="font-mono">Ctrl-Shift-↵</span>
            </>
          ) : null}
        </span>
      ) : null}
    </div>
  )
}

/** True for a moment after each time that something was refused. */
function useFlash(at: number): boolean {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (at === 0) return
    setOn(true)
    const timer = setTimeout(() => setOn(false), FLASH_MS)
    return () => clearTimeout(timer)
  }, [at])
  return isOn
}

function isolationOf(driver: string): string {
  return driver in DRIVERS ? ISOLATION_WORDS[DRIVERS[driver as DriverRow].isolation] : driver
}
