'use client'
import { Download, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { failureOf } from '@/components/api/failure'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'
import { downloadByForm, Refused } from '@/components/workload/logs/data-host'
import { SearchResults } from '@/components/workload/logs/search-results'
import { type DataHost, useDataHost } from '@/components/workload/logs/use-data-host'
import { useSearch } from '@/components/workload/logs/use-search'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'

const FORMATS = [
  { format: 'asciicast', label: 'Asciicast', means: 'with its times; players show it again as it was' },
  { format: 'raw', label: 'Raw bytes', means: 'exactly what the terminal got' },
] as const

/** Everything that the terminal printed: search and download, also while it is parked. */
export function RecordPart({ workload }: { workload: WorkloadView }) {
  const host = useDataHost(workload.id)
  const search = useSearch(host, 'terminal')
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') search.mutate(text.trim())
  }
  const close = () => {
    search.reset()
    setText('')
  }
  return (
    <>
      <form onSubmit={submit} className="flex items-center gap-2 px-4 py-3">
        <Input
          type="search"
          icon={Search}
          aria-label="Search what it printed"
          placeholder="Search what it printed"
          maxLength={LIMITS.searchTextChars}
          value={text}
          onChange={(event) => setText(event.target.value)}
          frameClassName="flex-1"
        />
        <Button type="submit" disabled={text.trim() === '' || !host} isBusy={search.isPending}>
          Search
        </Button>
      </form>
      <SearchResults search={search} onClose={close} />
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
              onClick={() => host && void download(host, format)}
            >
              <Download className="size-3.5 shrink-0 text-ink-2" aria-hidden />
              Download
            </Button>
          </li>
        ))}
      </ul>
      <p className="px-4 py-2.5 text-small text-ink-3">
        The record lies on its machine, next to the program, and is erased with the session. Its oldest part goes when it is too
        long.
      </p>
    </>
  )
}

async function download(host: DataHost, format: string): Promise<void> {
  try {
    downloadByForm(`${host.origin}/record`, { ticket: await host.getTicket('terminal'), format })
  } catch (error) {
    toast({ text: error instanceof Refused ? error.message : failureOf(error).text, tone: 'bad' })
  }
}
