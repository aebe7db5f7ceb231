'use client'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { useTRPC } from '@/components/api/client'
import { useGo } from '@/components/frame/use-go'
import { IconButton } from '@/components/ui/icon-button'
import { tabClass } from '@/components/ui/tab-class'
import { normalQuery, type SavedView } from './saved-views'
import { countOf, VIEW_NAMES, VIEWS, type View } from './views'

type Props = {
  view: View
  onChange: (view: View) => void
  saved: readonly SavedView[]
  onForget: (name: string) => void
}

/** The views that everybody has, with how many rows each has, then those saved in this browser. */
export function ViewTabs({ view, onChange, saved, onForget }: Props) {
  const { data } = useQuery(useTRPC().workloads.counts.queryOptions())
  const now = normalQuery(useSearchParams().toString())
  const current = saved.find((one) => one.query === now)?.name ?? null
  return (
    <nav aria-label="Views" className="-mt-3 overflow-x-auto overflow-y-hidden max-md:-mx-3 max-md:mt-0 max-md:px-3">
      <div className="flex w-max min-w-full items-end gap-5 border-b border-line">
        {VIEW_NAMES.map((name) => {
          const count = countOf(name, data)
          const isCurrent = name === view && current === null
          return (
            <button
              key={name}
              type="button"
              aria-current={isCurrent ? 'page' : undefined}
              onClick={() => onChange(name)}
              className={tabClass(isCurrent)}
            >
              {VIEWS[name].label}
              {count === null ? null : <span className="num text-micro text-ink-3">{count}</span>}
            </button>
          )
        })}
        {saved.map((one) => (
          <SavedTab key={one.name} view={one} isCurrent={one.name === current} onForget={() => onForget(one.name)} />
        ))}
      </div>
    </nav>
  )
}

function SavedTab({ view, isCurrent, onForget }: { view: SavedView; isCurrent: boolean; onForget: () => void }) {
  const go = useGo()
  return (
    <span className="flex items-center">
      <button
        type="button"
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => go(`/workloads?${view.query}`)}
        className={tabClass(isCurrent)}
      >
        {view.name}
      </button>
      {isCurrent ? <IconButton icon={X} label={`Forget the view ${view.name}`} size="xs" onClick={onForget} /> : null}
    </span>
  )
}
