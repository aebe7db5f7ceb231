'use client'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Button } from '@/components/ui/button'
import { CopyText } from '@/components/ui/copy-field'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Segmented } from '@/components/ui/segmented'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { WorkloadView } from '@/domain/views'

type Part = 'request' | 'export'

const MEANS: Record<Part, string> = {
  request: '“Request” is all that was supplied, as it was supplied: create another one from it.',
  export: '“Export” is every field and the whole timeline; what is not in it stands under “redacted”.',
}

/** The workload as data: the request as it was supplied, or the export of everything, with what is left out by name. */
export function JsonPanel({ workload }: { workload: WorkloadView }) {
  const [part, setPart] = useState<Part>('request')
  const whole = useQuery(
    useTRPC().workloads.export.queryOptions({ id: workload.id }, { enabled: part === 'export', staleTime: 0 }),
  )
  const { kind, name, spec, settings } = workload
  const data = part === 'request' ? { kind, name, spec, settings } : whole.data
  const text = data === undefined ? null : JSON.stringify(data, null, 2)
  return (
    <Panel aria-label="JSON">
      <PanelHead title="JSON">
        <Segmented
          label="Part"
          value={part}
          onChange={(value) => setPart(value === 'export' ? 'export' : 'request')}
          options={[
            { value: 'request', label: 'Request' },
            { value: 'export', label: 'Export' },
          ]}
        />
        {text === null ? null : <CopyText value={text} shown="Copy" label="JSON" />}
        <Button
          size="sm"
          disabled={text === null}
          onClick={() => text !== null && save(text, `${name}${part === 'export' ? '.export' : ''}.json`)}
        >
          <Download className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          Download
        </Button>
      </PanelHead>
      {part === 'export' && whole.isPending ? <SkeletonRows rows={6} /> : null}
      {part === 'export' && whole.error ? (
        <QueryFailed error={whole.error} what="The export" onRetry={() => void whole.refetch()} isRetrying={whole.isFetching} />
      ) : null}
      {text === null ? null : <Json text={text} />}
      <p className="border-t border-line px-4 py-2 text-small text-ink-3">{MEANS[part]}</p>
    </Panel>
  )
}

function Json({ text }: { text: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
      tabIndex={0}
      className="max-h-160 overflow-auto bg-sunken px-4 py-3 font-mono text-small text-ink-2 focus-visible:-outline-offset-2"
    >
      {text}
    </pre>
  )
}

/** Hands a text over as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
