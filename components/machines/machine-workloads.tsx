import { Layers } from 'lucide-react'
import { workloadPath } from '@/components/frame/routes'
import { Empty } from '@/components/ui/empty'
import { Link } from '@/components/ui/link'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import { ClassLabel } from '@/components/workloads/class-label'
import { KindLabel } from '@/components/workloads/kind-label'
import { StateBadge } from '@/components/workloads/state-badge'
import type { WorkloadView } from '@/domain/views'

/** What runs on a machine, as far as this person may see it. */
export function MachineWorkloads({ workloads }: { workloads: readonly WorkloadView[] }) {
  return (
    <Panel aria-label="Workloads here">
      <PanelHead title="Workloads here" meta={workloads.length > 0 ? workloads.length : null} />
      {workloads.length === 0 ? <Empty icon={Layers} title="Nothing that you can see runs here" className="py-6" /> : null}
      <ul>
        {workloads.map((w) => (
          <li
            key={w.id}
            className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto_44px] items-center gap-x-3 border-b border-line px-4 py-1 last:border-b-0 sm:grid-cols-[150px_minmax(0,1fr)_110px_90px_48px]"
          >
            <StateBadge workload={w} />
            <Link href={workloadPath(w.id)} className="truncate rounded-sm font-medium hover:underline max-sm:order-first">
              {w.name}
            </Link>
            <KindLabel kind={w.kind} className="max-sm:hidden" />
            <span className="max-sm:hidden">
              <ClassLabel spec={w.spec} placement={w.placement} />
            </span>
            <Age at={w.stateSince} className="text-right text-small text-ink-3 tabular-nums" />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
