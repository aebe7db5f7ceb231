'use client'
import { Package } from 'lucide-react'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { stateLook } from '@/components/frame/state-look'
import { Banner } from '@/components/ui/banner'
import { buttonClass } from '@/components/ui/button'
import { durationText } from '@/components/ui/duration'
import { Panel } from '@/components/ui/panel'
import { reasonSentence } from '@/components/workloads/words'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { LogLink } from './logs/log-link'
import { RecordLink } from './logs/record-link'
import { LookLine } from './look-line'

/** What to do next in states that do not go on by themselves. */
const NEXT: Partial<Record<State, string>> = {
  failed: 'Its workspace is kept. Restart tries again with the same request; the timeline says how far it got.',
  lost: 'Recover starts it again from what is left of its workspace.',
  parked: 'Nothing of it runs. Resume starts it again in the same workspace.',
  paused: 'Its processes are frozen in memory and keep their place on the machine. Resume lets them go on where they were.',
  removed: 'Nothing of it is left but this page. “New one like this” copies its request.',
  canceled: 'It was never placed. “New one like this” copies its request.',
}

/** Why it stands still and what helps; nothing for a workload that runs well. */
export function OutcomePanel({ workload }: { workload: WorkloadView }) {
  const { state, reason, exitCode, createdAt, stateSince, looksUntil } = workload
  const next = NEXT[state]
  if (state === 'running' && exitCode !== null) return <Exited workload={workload} exitCode={exitCode} />
  if (next === undefined) return null
  const look = stateLook(workload)
  const lived = state === 'removed' ? ` It lived for ${durationText(stateSince.getTime() - createdAt.getTime())}.` : ''
  return (
    <Panel aria-label={look.word}>
      <Banner icon={look.icon} tone={look.tone} title={reason ? reasonSentence(reason) : look.word}>
        {next}
        {lived}
        {looksUntil ? <LookLine workload={workload} until={looksUntil} /> : null}
        <p className="mt-2 flex flex-wrap gap-2 empty:hidden">
          <LogLink workload={workload} />
          <RecordLink workload={workload} />
          <PackagesLink workload={workload} />
        </p>
      </Banner>
    </Panel>
  )
}

/** Where packages that could not be installed are put right. */
function PackagesLink({ workload: { id, state, reason, may } }: { workload: WorkloadView }) {
  if (state !== 'failed' || reason?.code !== 'environment_failed' || !may.includes('workload.packages')) return null
  return (
    <Link href={`${workloadPath(id)}?tab=settings`} className={buttonClass({ size: 'sm' })}>
      <Package className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      Change its packages
    </Link>
  )
}

function Exited({ workload, exitCode }: { workload: WorkloadView; exitCode: number }) {
  const look = stateLook({ state: exitCode === 0 ? 'parked' : 'failed', reason: null })
  return (
    <Panel aria-label="Process">
      <Banner icon={look.icon} tone={exitCode === 0 ? 'ink-2' : 'bad'} title={`Its process ended with exit code ${exitCode}`}>
        The workload itself still runs and keeps its place.
        {workload.kind === 'session' ? ' Open it to read what it printed; Restart starts it again in the same workspace.' : null}
      </Banner>
    </Panel>
  )
}
