'use client'
import { CircleAlert, CircleCheck, FastForward, Keyboard, type LucideIcon, Unplug, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { bytesText } from '@/components/ui/bytes'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { TONE_SOFT, TONE_TEXT, type Tone } from '@/components/ui/tone'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import { reasonSentence } from '@/components/workloads/words'
import type { WorkloadView } from '@/domain/views'
import type { SessionLine } from './session-line'

type Props = {
  workload: WorkloadView
  line: SessionLine
  onDismiss: (what: 'gap' | 'refused' | 'notice') => void
  onRetry: () => void
}

/** What a person must know above the terminal: a lost connection, an ended process, skipped output, a lost claim. */
export function SessionBanners({ workload, line, onDismiss, onRetry }: Props) {
  const isLost = line.status === 'waiting' || (line.status === 'connecting' && line.hasAttached)
  const exitCode = line.exit ? line.exit.code : workload.exitCode
  const hasExited = line.exit !== null || workload.exitCode !== null
  return (
    <>
      {isLost ? <Lost line={line} onRetry={onRetry} /> : null}
      {!isLost && line.status === 'ended' && !hasExited ? (
        <Line
          icon={Unplug}
          tone="warn"
          title="The terminal is closed"
          actions={
            <Button size="xs" onClick={onRetry}>
              Open it again
            </Button>
          }
        >
          Its machine or your permission may have changed. What runs goes on.
        </Line>
      ) : null}
      {hasExited ? <Exited workload={workload} code={exitCode} /> : null}
      {line.skippedBytes > 0 ? (
        <Line
          icon={FastForward}
          tone="warn"
          title={`${bytesText(line.skippedBytes)} of output not shown`}
          onDismiss={() => onDismiss('gap')}
        >
          This window was too slow for it, or it is older than what is kept here. The terminal below is up to date.
        </Line>
      ) : null}
      {line.wasRefused ? (
        <Line icon={Keyboard} tone="warn" title="Control moved meanwhile" onDismiss={() => onDismiss('refused')}>
          {line.controller ? `${line.controller} was first.` : 'Somebody else was first.'} Nothing that you typed was sent.
        </Line>
      ) : null}
      {line.notice ? (
        <Line icon={CircleAlert} tone="warn" title={reasonSentence(line.notice)} onDismiss={() => onDismiss('notice')} />
      ) : null}
    </>
  )
}

function Lost({ line, onRetry }: { line: SessionLine; onRetry: () => void }) {
  const isTrying = line.status === 'connecting'
  return (
    <Line
      icon={Unplug}
      tone="warn"
      title={isTrying ? 'Reconnecting' : 'Connection lost'}
      actions={
        <Button size="xs" isBusy={isTrying} onClick={onRetry}>
          Now
        </Button>
      }
    >
      The session goes on without you, and nothing that it prints is lost. Keys are not sent meanwhile.
    </Line>
  )
}

function Exited({ workload, code }: { workload: WorkloadView; code: number | null }) {
  const actions = useWorkloadActions()
  const isGood = code === 0
  const restart = availability('restart', workload).can ? () => actions.restart(workload) : null
  return (
    <Line
      icon={isGood ? CircleCheck : CircleAlert}
      tone={isGood ? 'ink-2' : 'bad'}
      title={code === null ? 'Its process ended' : `Its process ended with exit code ${code}`}
      actions={
        restart ? (
          <Button size="xs" isBusy={actions.isBusy} onClick={() => void restart()}>
            Restart
          </Button>
        ) : null
      }
    >
      The workspace and everything printed are kept.
    </Line>
  )
}

type LineProps = {
  icon: LucideIcon
  tone: Tone
  title: string
  children?: ReactNode
  actions?: ReactNode
  onDismiss?: () => void
}

function Line({ icon: Icon, tone, title, children, actions, onDismiss }: LineProps) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cn('flex min-h-10 shrink-0 items-center gap-3 border-b border-line py-1 pr-2 pl-4', TONE_SOFT[tone])}
    >
      <Icon className={cn('size-4 shrink-0', TONE_TEXT[tone])} strokeWidth={1.75} aria-hidden />
      <p className="min-w-0 flex-1">
        <span className={cn('font-medium', TONE_TEXT[tone])}>{title}</span>
        {children ? <span className="text-ink-2 max-md:block max-md:text-small"> {children}</span> : null}
      </p>
      {actions}
      {onDismiss ? <IconButton icon={X} label="Dismiss" size="xs" onClick={onDismiss} /> : null}
    </div>
  )
}
