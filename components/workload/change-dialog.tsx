'use client'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, CircleDashed } from 'lucide-react'
import Link from 'next/link'
import { useTRPC } from '@/components/api/client'
import { Button, buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Status } from '@/components/ui/status'
import { reasonSentence } from '@/components/workloads/words'
import type { Suggestion } from '@/domain/placement'
import { applyChange } from '@/domain/suggestions'
import type { WorkloadView } from '@/domain/views'
import type { WorkloadSpec } from '@/domain/workloads'
import { changeLink } from './change-link'
import { changeLines } from './change-words'
import { useChange } from './use-change'

type Props = { workload: WorkloadView; suggestion: Suggestion; onClose: () => void }

/** A suggested change before it is made: what differs, whether it fits at this moment, and what becomes of the old request. */
export function ChangeDialog({ workload, suggestion, onClose }: Props) {
  const spec = applyChange(workload.spec, suggestion.change)
  const { isReplacing, isBusy, startAndGo } = useChange(workload, spec)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${suggestion.title}?`}
      description={
        isReplacing
          ? `${workload.name} starts with this request, and what waits now is canceled.`
          : `Another workload starts with this request; ${workload.name} and its files go on waiting.`
      }
      footer={
        <>
          <Link href={changeLink(workload, suggestion.change)} className={buttonClass({ kind: 'ghost' }, 'mr-auto -ml-3')}>
            Change more
          </Link>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void startAndGo()}>
            {isReplacing ? 'Change and start' : 'Start'}
          </Button>
        </>
      }
    >
      <ul className="mt-3 rounded-md border border-line px-3 py-1.5">
        {changeLines(workload.spec, spec).map(({ what, from, to }) => (
          <li key={what} className="flex items-center gap-2.5 py-1">
            <span className="w-16 text-ink-3">{what}</span>
            <span className="text-ink-3 line-through">{from}</span>
            <ArrowRight className="size-3.5 shrink-0 text-ink-3" aria-label="becomes" />
            <span className="font-medium">{to}</span>
          </li>
        ))}
      </ul>
      <Verdict workload={workload} spec={spec} />
    </Dialog>
  )
}

/** Asked again at each change of the queue: what fitted a minute ago may not any more. */
function Verdict({ workload, spec }: { workload: WorkloadView; spec: WorkloadSpec }) {
  const { data } = useQuery(useTRPC().workloads.fit.queryOptions({ kind: workload.kind, spec }))
  if (!data) return <p className="mt-2.5 h-5 text-ink-3">Looking at the machines …</p>
  const isFitting = data.chosen !== null
  return (
    <div className="mt-2.5" role="status">
      <Status icon={isFitting ? CircleCheck : CircleDashed} tone={isFitting ? 'good' : 'wait'}>
        {reasonSentence(data.reason)}
      </Status>
    </div>
  )
}
