'use client'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { downloadKept } from '@/components/workload/logs/download-kept'
import { SearchField } from '@/components/workload/logs/search-field'
import { SearchResults } from '@/components/workload/logs/search-results'
import { useDataHost } from '@/components/workload/logs/use-data-host'
import { useSearch } from '@/components/workload/logs/use-search'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import { StartPicker } from './start-picker'

const FORMATS = [
  { format: 'asciicast', label: 'Asciicast', means: 'with its times; players show it again as it was' },
  { format: 'raw', label: 'Raw bytes', means: 'exactly what the terminal got' },
] as const

/** Everything that the terminal printed: search and download, also while it is parked. */
export function RecordPart({ workload }: { workload: WorkloadView }) {
  const host = useDataHost(workload.id)
  const [placementId, setPlacementId] = useState<string | null>(null)
  const search = useSearch(host, 'terminal', placementId)
  const choose = (id: string | null) => {
    search.reset()
    setPlacementId(id)
  }
  return (
    <>
      <StartPicker workload={workload} value={placementId} onChange={choose} />
      <SearchField
        label="Search what it printed"
        placeholder="Search what it printed"
        onSearch={(text) => search.mutate(text)}
        onClear={search.reset}
        className="flex items-center gap-2 px-4 py-3"
        frameClassName="flex-1"
      >
        {(hasText) => (
          <Button type="submit" disabled={!hasText || !host} isBusy={search.isPending}>
            Search
          </Button>
        )}
      </SearchField>
      <SearchResults search={search} onClose={search.reset} />
      <ul className="border-t border-line">
        {FORMATS.map(({ format, label, means }) => (
          <li key={format} className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{label}</p>
              <p className="text-small text-ink-3">{means}</p>
            </div>
            <Button
              size="sm"
              disabled={!host}
              aria-label={`Download ${label}`}
              onClick={() => host && void downloadKept(host, 'terminal', { format, ...(placementId && { placementId }) })}
            >
              <Download className="size-3.5 shrink-0 text-ink-2" aria-hidden />
              Download
            </Button>
          </li>
        ))}
      </ul>
      <p className="px-4 py-2.5 text-small text-ink-3">
        The record lies on its machine, next to the program, and is erased with the session. Its oldest part goes when it is too
        long; the newest {LIMITS.keptStarts} starts are kept.
      </p>
    </>
  )
}
