'use client'
import { CircleAlert, SearchX, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Moment } from '@/components/ui/time'
import type { Match } from './data-host'
import { Refused } from './data-host'
import type { useSearch } from './use-search'

type Props = { search: ReturnType<typeof useSearch>; onShow?: (match: Match) => void; onClose: () => void }

/** What a search found, newest first. */
export function SearchResults({ search, onShow, onClose }: Props) {
  if (search.isPending) return <p className="border-b border-line px-4 py-2 text-small text-ink-3">Searching …</p>
  if (search.error) return <Failed error={search.error} onAgain={() => search.mutate(search.variables)} onClose={onClose} />
  const { data } = search
  if (!data) return null
  return (
    <section aria-label="Found" className="border-b border-line">
      <header className="flex h-8 items-center gap-2 bg-sunken px-4 text-small text-ink-3">
        <span role="status">{foundText(data)}</span>
        <IconButton icon={X} label="Close the search" size="xs" onClick={onClose} className="-mr-2 ml-auto" />
      </header>
      <ul className="max-h-60 overflow-y-auto">
        {data.matches.map((match) => (
          <li key={match.seq}>
            <MatchLine match={match} {...(onShow && { onShow })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function MatchLine({ match, onShow }: { match: Match; onShow?: (match: Match) => void }) {
  const inside = (
    <>
      {match.at ? <Moment at={match.at} shape="seconds" className="num shrink-0 text-ink-3" /> : null}
      <span className="min-w-0 flex-1 truncate text-left font-mono">{match.line}</span>
    </>
  )
  const look = 'flex min-h-7 w-full items-center gap-4 px-4 text-small max-md:min-h-10'
  if (!onShow) return <p className={look}>{inside}</p>
  return (
    <button type="button" onClick={() => onShow(match)} className={`${look} hover:bg-hover focus-visible:-outline-offset-2`}>
      {inside}
    </button>
  )
}

function Failed({ error, onAgain, onClose }: { error: Error; onAgain: () => void; onClose: () => void }) {
  return (
    <div role="alert" className="flex items-center gap-2.5 border-b border-line px-4 py-2 text-small">
      <CircleAlert className="size-3.5 shrink-0 text-bad" aria-hidden />
      <span className="min-w-0 flex-1">{error instanceof Refused ? error.message : 'The search got no answer.'}</span>
      <Button size="xs" onClick={onAgain}>
        Try again
      </Button>
      <IconButton icon={X} label="Close the search" size="xs" onClick={onClose} />
    </div>
  )
}

function foundText({ matches, isComplete, text }: { matches: readonly Match[]; isComplete: boolean; text: string }) {
  const n = matches.length
  if (n === 0)
    return (
      <span className="flex items-center gap-1.5">
        <SearchX className="size-3.5 shrink-0" aria-hidden />
        Nothing kept has “{text}”
      </span>
    )
  if (!isComplete) return `The newest ${n} lines with “${text}”`
  return `${n} ${n === 1 ? 'line has' : 'lines have'} “${text}”, newest first`
}
