'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { tabClass } from '@/components/ui/tabs'
import { countOf, VIEW_NAMES, VIEWS, type View } from './views'

type Props = { view: View; onChange: (view: View) => void }

/** The saved views, with how many rows each has. */
export function ViewTabs({ view, onChange }: Props) {
  const { data } = useQuery(useTRPC().workloads.counts.queryOptions())
  return (
    <nav aria-label="Views" className="-mt-3 overflow-x-auto max-md:-mx-3 max-md:mt-0 max-md:px-3">
      <div className="flex w-max min-w-full items-end gap-5 border-b border-line">
        {VIEW_NAMES.map((name) => {
          const count = countOf(name, data)
          return (
            <button
              key={name}
              type="button"
              aria-current={name === view ? 'page' : undefined}
              onClick={() => onChange(name)}
              className={tabClass(name === view)}
            >
              {VIEWS[name].label}
              {count === null ? null : <span className="num text-micro text-ink-3">{count}</span>}
            </button>
          )
        })}
      </div>
    </nav>
  )
}
