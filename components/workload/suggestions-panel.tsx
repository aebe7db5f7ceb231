'use client'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Panel, PanelHead } from '@/components/ui/panel'
import type { Suggestion } from '@/domain/placement'
import type { WorkloadView } from '@/domain/views'
import { ParkLink } from './park-link'
import { RoomHolders } from './room-holders'

const ChangeDialog = dynamic(() => import('./change-dialog').then((m) => m.ChangeDialog), { ssr: false })

type Props = { workload: WorkloadView; suggestions: readonly Suggestion[] }

/** Changes of the request, and what to park, that would make it run now. Each was tried against the same filters before it is offered. */
export function SuggestionsPanel({ workload, suggestions }: Props) {
  const [chosen, setChosen] = useState<Suggestion | null>(null)
  return (
    <Panel aria-label="It would run now if you">
      <PanelHead title="It would run now if you" />
      {suggestions.length === 0 ? <p className="px-4 py-3 text-ink-2">No change of the request would start it now.</p> : null}
      <ul>
        {suggestions.map((suggestion, i) => (
          <li key={suggestion.title} className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium md:truncate">{suggestion.title}</p>
              <p className="text-small text-ink-3 md:truncate" title={suggestion.detail}>
                {suggestion.detail}
              </p>
            </div>
            {suggestion.park ? (
              <ParkLink {...suggestion.park} />
            ) : (
              <Button
                size="sm"
                kind={i === 0 ? 'primary' : 'secondary'}
                aria-label={`${suggestion.title}: look and start`}
                onClick={() => setChosen(suggestion)}
              >
                Use this
              </Button>
            )}
          </li>
        ))}
      </ul>
      <RoomHolders reason={workload.reason} className="border-t border-line" />
      {chosen ? <ChangeDialog workload={workload} suggestion={chosen} onClose={() => setChosen(null)} /> : null}
    </Panel>
  )
}
