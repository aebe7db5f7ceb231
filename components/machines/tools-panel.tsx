import { CircleCheck, CircleMinus } from 'lucide-react'
import { Panel, PanelHead } from '@/components/ui/panel'

/** What workloads need, by the names under which an agent reports it: the one that its drivers chose comes first. */
const TOOLS: readonly { title: string; names: readonly string[] }[] = [
  { title: 'Python', names: ['python', 'python3'] },
  { title: 'bubblewrap', names: ['bubblewrap', 'bwrap'] },
  { title: 'uv', names: ['uv'] },
  { title: 'Git', names: ['git'] },
  { title: 'Node.js', names: ['node'] },
]

/** The tools of a machine with their versions; one that is missing is said to be. */
export function ToolsPanel({ tools }: { tools: Readonly<Record<string, string>> }) {
  const others = Object.keys(tools).filter((name) => !TOOLS.some((tool) => tool.names.includes(name)))
  const rows = [...TOOLS, ...others.map((name) => ({ title: name, names: [name] }))]
  return (
    <Panel aria-label="Tools">
      <PanelHead title="Tools" meta="found by its agent" />
      <ul className="-mb-px grid grid-cols-2 max-sm:grid-cols-1">
        {rows.map(({ title, names }) => {
          const version = names.map((name) => tools[name]).find((v) => v !== undefined)
          const Icon = version === undefined ? CircleMinus : CircleCheck
          return (
            <li key={title} className="flex h-8 items-center gap-2 border-b border-line px-4 sm:odd:border-r">
              <Icon className={`size-3.5 shrink-0 ${version === undefined ? 'text-ink-3' : 'text-good'}`} aria-hidden />
              <span className={version === undefined ? 'truncate text-ink-2' : 'truncate'}>{title}</span>
              <span className="ml-auto truncate font-mono text-small text-ink-3">{version ?? 'not found'}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
