'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useId, useState } from 'react'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { OptionProps } from './option-fields'
import { hasHiddenError, optionsSummary, reachesMachine } from './options-words'

const Fields = dynamic(() => import('./option-fields').then((m) => m.OptionFields), { loading: () => <SkeletonRows rows={6} /> })

/**
 * What few people change; fetched when it is opened. A wrong value opens it, so that no error hides, and so does a link that
 * asks for something of the machine: its author must not be the only one who knows.
 */
export function MoreOptions({ isFilled, ...props }: OptionProps & { isFilled: boolean }) {
  const [isWanted, setWanted] = useState(() => isFilled && reachesMachine(props.draft))
  const id = useId()
  const isOpen = isWanted || hasHiddenError(props.errors)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
        className="flex min-h-9 w-full items-center gap-2 rounded-md px-4 text-left hover:bg-hover max-md:min-h-11"
      >
        <Chevron className="size-3.5 shrink-0 text-ink-3" aria-hidden />
        <span className="font-medium whitespace-nowrap">More options</span>
        {isOpen ? null : <span className="truncate text-small text-ink-3">{optionsSummary(props.draft)}</span>}
      </button>
      {isOpen ? (
        <div id={id} className="border-t border-line">
          <Fields {...props} />
        </div>
      ) : null}
    </div>
  )
}
