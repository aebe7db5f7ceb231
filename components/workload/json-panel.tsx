'use client'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { CopyText } from '@/components/ui/copy-field'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Segmented } from '@/components/ui/segmented'
import type { WorkloadView } from '@/domain/views'

type Part = 'request' | 'all'

/** The workload as data: what its owner supplied, or everything that this person may see. */
export function JsonPanel({ workload }: { workload: WorkloadView }) {
  const [part, setPart] = useState<Part>('request')
  const { kind, name, spec } = workload
  const text = JSON.stringify(part === 'request' ? { kind, name, spec } : workload, null, 2)
  return (
    <Panel aria-label="JSON">
      <PanelHead title="JSON">
        <Segmented
          label="Part"
          value={part}
          onChange={(value) => setPart(value === 'all' ? 'all' : 'request')}
          options={[
            { value: 'request', label: 'Request' },
            { value: 'all', label: 'Everything' },
          ]}
          className="h-6 max-md:h-8"
        />
        <CopyText value={text} shown="Copy" label="JSON" />
        <a
          href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${name}.json`}
          aria-label="Download JSON"
          className={buttonClass({ kind: 'ghost', size: 'xs' })}
        >
          <Download className="size-4" strokeWidth={1.75} aria-hidden />
        </a>
      </PanelHead>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
        tabIndex={0}
        className="max-h-160 overflow-auto bg-sunken px-4 py-3 font-mono text-small text-ink-2 focus-visible:-outline-offset-2"
      >
        {text}
      </pre>
      <p className="border-t border-line px-4 py-2 text-small text-ink-3">
        “Request” is all that was supplied, as it was supplied: create another one from it. Nothing is left out or redacted.
      </p>
    </Panel>
  )
}
