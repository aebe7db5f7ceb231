import { CircleCheck, CircleMinus } from 'lucide-react'
import { Panel, PanelHead } from '@/components/ui/panel'

/** The programs that workloads need, by what they are called on the path. */
const TITLES: Record<string, string> = { python3: 'Python', bwrap: 'bubblewrap', uv: 'uv', git: 'Git', node: 'Node.js' }

/** The tools of a machine with their versions; one that is missing is said to be. */
export function ToolsPanel({ tools }: { tools: Readonly<Record<string, string>> }) {
  const names = [...new Set([...Object.keys(TITLES), ...Object.keys(tools)])]
  return (
    <Panel aria-label="Tools">
      <PanelHead title="Tools" meta="found on the path" />
      <ul className="-mb-px grid grid-cols-2 max-sm:grid-cols-1">
        {names.map((name) => {
          const version = tools[name]
          const Icon = version === undefined ? CircleMinus : CircleCheck
          return (
            <li key={name} className="flex h-8 items-center gap-2 border-b border-line px-4 sm:odd:border-r">
              <Icon className={`size-3.5 shrink-0 ${version === undefined ? 'text-ink-3' : 'text-good'}`} aria-hidden />
              <span className={version === undefined ? 'truncate text-ink-2' : 'truncate'}>{TITLES[name] ?? name}</span>
              <span className="ml-auto truncate font-mono text-small text-ink-3">{version ?? 'not found'}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
