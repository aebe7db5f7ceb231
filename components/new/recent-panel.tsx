'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { KIND_ICON } from '@/components/frame/state-look'
import { bytesText } from '@/components/ui/bytes'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import type { Catalog } from '@/domain/catalog'
import { KINDS } from '@/domain/kinds'
import type { Workload } from '@/domain/workloads'
import { type Draft, draftOf } from './draft'
import { RECENT } from './queries'

const SHOWN_MAX = 3

/** The person's last workloads: one click fills the form with the same. */
export function RecentPanel({ catalog, onChoose }: { catalog: Catalog; onChoose: (draft: Draft) => void }) {
  const { data } = useQuery(useTRPC().workloads.list.queryOptions(RECENT))
  const rows = (data?.rows ?? []).filter((w) => catalog.runtimes.some((r) => r.id === w.spec.runtime)).slice(0, SHOWN_MAX)
  if (rows.length === 0) return null
  return (
    <Panel aria-label="Same as before">
      <PanelHead title="Same as before" />
      <ul>
        {rows.map((row) => {
          const Icon = KIND_ICON[row.kind]
          return (
            <li key={row.id} className="border-b border-line last:border-b-0">
              <button
                type="button"
                onClick={() => onChoose(draftOf(row))}
                className="flex min-h-11 w-full items-center gap-3 px-4 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <Icon className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-label={KINDS[row.kind].label} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{row.name}</span>
                  <span className="block truncate text-small text-ink-3">{summaryOf(row, catalog)}</span>
                </span>
                <Age at={row.createdAt} className="text-small text-ink-3 tabular-nums" />
              </button>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function summaryOf({ spec }: Workload, catalog: Catalog): string {
  const runtime = catalog.runtimes.find((r) => r.id === spec.runtime)?.title ?? spec.runtime
  const size = spec.gpu
    ? `${spec.gpu.count} × ${spec.gpu.class ?? 'any GPU'}`
    : `${spec.cpus} CPU, ${bytesText(spec.memoryBytes)}`
  return `${size} · ${runtime}`
}
