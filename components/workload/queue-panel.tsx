import { cn } from '@/components/ui/cn'
import { Panel, PanelHead } from '@/components/ui/panel'
import { ordinal } from '@/components/workloads/words'
import type { Funnel } from '@/domain/placement'
import { waitsForRoom } from '@/domain/reasons-of-waiting'
import { NOT_IN_TURN, whatItNeeds } from './queue-words'

const SEATS_MAX = 24

/** The place in the queue. Whoever is ahead and cannot be served yet blocks nobody behind. */
export function QueuePanel({ queue, reason }: Pick<Funnel, 'reason'> & { queue: NonNullable<Funnel['queue']> }) {
  const { position, length } = queue
  if (!waitsForRoom(reason)) {
    return (
      <Panel aria-label="Queue">
        <PanelHead title="Queue" />
        <p className="px-4 py-3 text-ink-2">{NOT_IN_TURN[whatItNeeds(reason)]}</p>
      </Panel>
    )
  }
  return (
    <Panel aria-label="Queue">
      <PanelHead title="Queue" meta={`${ordinal(position)} of ${length}`} />
      <div className="px-4 py-3">
        {length <= SEATS_MAX ? (
          <ol className="mb-2.5 flex gap-1" aria-hidden>
            {Array.from({ length }, (_, i) => i + 1).map((place) => (
              <li key={place} className={cn('h-2 max-w-10 flex-1 rounded-xs', seatClass(place, position))} />
            ))}
          </ol>
        ) : null}
        <p className="text-ink-2">{aheadText(position)}</p>
        <p className="text-small text-ink-3">A request that nothing can serve yet never blocks the ones behind it.</p>
      </div>
    </Panel>
  )
}

function seatClass(place: number, position: number): string {
  if (place === position) return 'bg-wait'
  return place < position ? 'bg-mark' : 'bg-line-2'
}

function aheadText(position: number): string {
  if (position === 1) return 'It is next: the first room that fits is its own.'
  return `${position - 1} ${position === 2 ? 'request is' : 'requests are'} looked at before it.`
}
