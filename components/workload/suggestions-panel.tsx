import Link from 'next/link'
import { buttonClass } from '@/components/ui/button'
import { Panel, PanelHead } from '@/components/ui/panel'
import type { Suggestion } from '@/domain/placement'
import type { WorkloadView } from '@/domain/views'
import { changeLink } from './change-link'

type Props = { workload: WorkloadView; suggestions: readonly Suggestion[] }

/** Changes of the request that would make it run now. Each was tried against the same filters before it is offered. */
export function SuggestionsPanel({ workload, suggestions }: Props) {
  if (suggestions.length === 0) return null
  return (
    <Panel aria-label="It would run now if you">
      <PanelHead title="It would run now if you" />
      <ul>
        {suggestions.map((suggestion, i) => (
          <li key={suggestion.title} className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium md:truncate">{suggestion.title}</p>
              <p className="text-small text-ink-3 md:truncate" title={suggestion.detail}>
                {suggestion.detail}
              </p>
            </div>
            <Link
              href={changeLink(workload, suggestion.change)}
              aria-label={`${suggestion.title}: review and start`}
              className={buttonClass({ kind: i === 0 ? 'primary' : 'secondary', size: 'sm' }, 'max-md:min-w-20')}
            >
              Use this
            </Link>
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-2 text-small text-ink-3">
        Opens the form with this change. What waits here goes on waiting until you cancel it.
      </p>
    </Panel>
  )
}
