'use client'
import { CircleAlert, CircleCheck, FastForward, Keyboard, Unplug } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { bytesText } from '@/components/ui/bytes'
import { NoticeBar } from '@/components/ui/notice-bar'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import { reasonSentence } from '@/components/workloads/words'
import type { WorkloadView } from '@/domain/views'
import { isLost, type SessionLine } from './session-line'

type Props = {
  workload: WorkloadView
  line: SessionLine
  onDismiss: (what: 'gap' | 'refused' | 'notice') => void
  onRetry: () => void
}

/** What a person must know above the terminal: a lost connection, an ended process, skipped output, a lost claim. */
export function SessionBanners({ workload, line, onDismiss, onRetry }: Props) {
  const exitCode = line.exit ? line.exit.code : workload.exitCode
  const hasExited = line.exit !== null || workload.exitCode !== null
  return (
    <>
      {isLost(line) ? <Lost line={line} onRetry={onRetry} /> : null}
      {!isLost(line) && line.status === 'ended' && !hasExited ? (
        <NoticeBar
          icon={Unplug}
          tone="warn"
          title="The terminal is closed."
          actions={
            <Button size="xs" onClick={onRetry}>
              Open it again
            </Button>
          }
        >
          Its machine or your permission may have changed. What runs goes on.
        </NoticeBar>
      ) : null}
      {hasExited ? <Exited workload={workload} code={exitCode} /> : null}
      {line.skippedBytes > 0 ? (
        <NoticeBar
          icon={FastForward}
          tone="warn"
          title={`${bytesText(line.skippedBytes)} of output not shown.`}
          onDismiss={() => onDismiss('gap')}
        >
          This window was too slow for it, or it is older than what is kept here. The terminal below is up to date.
        </NoticeBar>
      ) : null}
      {line.wasRefused ? (
        <NoticeBar icon={Keyboard} tone="warn" title="Control moved meanwhile." onDismiss={() => onDismiss('refused')}>
          {line.controller ? `${line.controller} was first.` : 'Somebody else was first.'} Nothing that you typed was sent.
        </NoticeBar>
      ) : null}
      {line.notice ? (
        <NoticeBar icon={CircleAlert} tone="warn" title={reasonSentence(line.notice)} onDismiss={() => onDismiss('notice')} />
      ) : null}
    </>
  )
}

function Lost({ line, onRetry }: { line: SessionLine; onRetry: () => void }) {
  const isTrying = line.status === 'connecting'
  return (
    <NoticeBar
      icon={Unplug}
      tone="warn"
      title={isTrying ? 'Reconnecting.' : 'Connection lost.'}
      actions={
        <Button size="xs" isBusy={isTrying} onClick={onRetry}>
          Now
        </Button>
      }
    >
      The session goes on without you, and nothing that it prints is lost. Keys are not sent meanwhile.
    </NoticeBar>
  )
}

function Exited({ workload, code }: { workload: WorkloadView; code: number | null }) {
  const actions = useWorkloadActions()
  const isGood = code === 0
  const restart = availability('restart', workload).can ? () => actions.restart(workload) : null
  return (
    <NoticeBar
      icon={isGood ? CircleCheck : CircleAlert}
      tone={isGood ? 'ink-2' : 'bad'}
      title={code === null ? 'Its process ended.' : `Its process ended with exit code ${code}.`}
      actions={
        restart ? (
          <Button size="xs" isBusy={actions.isBusy} onClick={() => void restart()}>
            Restart
          </Button>
        ) : null
      }
    >
      The workspace and everything printed are kept.
    </NoticeBar>
  )
}
