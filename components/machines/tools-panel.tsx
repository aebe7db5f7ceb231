import { CircleCheck } from 'lucide-react'
import { Panel, PanelHead } from '@/components/ui/panel'

/** The tools that a machine found, with their versions. */
export function ToolsPanel({ tools }: { tools: Readonly<Record<string, string>> }) {
  const rows = Object.entries(tools).sort(([a], [b]) => a.localeCompare(b))
  return (
    <Panel aria-label="Tools">
      <PanelHead title="Tools" meta="found on the path" />
      {rows.length === 0 ? <p className="px-4 py-3 text-ink-3">None found.</p> : null}
      <ul className="-mb-px grid grid-cols-2 max-sm:grid-cols-1">
        {rows.map(([name, version]) => (
          <li key={name} className="flex h-8 items-center gap-2 border-b border-line px-4 odd:sm:border-r">
            <CircleCheck className="size-3.5 shrink-0 text-good" aria-hidden />
            <span className="truncate">{name}</span>
            <span className="ml-auto truncate font-mono text-small text-ink-3">{version}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
