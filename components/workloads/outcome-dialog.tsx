'use client'
import { CircleCheck, CircleX } from 'lucide-react'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { sentence } from '@/components/ui/sentence'
import type { Outcome } from './use-workload-actions'

/** What became of each selected row, when not all of them could be touched. */
export function OutcomeDialog({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { done, refused, verb } = outcome
  const total = done.length + refused.length
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${refused.length} of ${total} ${refused.length === 1 ? 'was' : 'were'} not ${verb}`}
      description={
        done.length === 0
          ? 'Nothing was changed.'
          : `The other ${done.length === 1 ? 'one is' : `${done.length} are`} being ${verb}.`
      }
      footer={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className="mt-3 rounded-md border border-line">
        {refused.map(({ target, why }) => (
          <li key={target.id} className="flex gap-2.5 border-b border-line px-3 py-2 last:border-b-0">
            <CircleX className="mt-0.75 size-3.5 shrink-0 text-bad" aria-label="refused" />
            <div className="min-w-0">
              <Link href={workloadPath(target.id)} className="font-medium hover:underline">
                {target.name}
              </Link>
              <p className="text-small text-ink-2">{why}</p>
            </div>
          </li>
        ))}
        {done.map((target) => (
          <li key={target.id} className="flex items-center gap-2.5 border-b border-line px-3 py-1.5 last:border-b-0">
            <CircleCheck className="size-3.5 shrink-0 text-good" aria-hidden />
            <span className="min-w-0 flex-1 truncate">{target.name}</span>
            <span className="text-small text-ink-3">{sentence(verb)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
