import { Cpu, Gauge, type LucideIcon, Pause, Users } from 'lucide-react'
import { KIND_ICON } from '@/components/frame/state-look'
import { Panel, PanelHead } from '@/components/ui/panel'
import { sentence } from '@/components/workloads/words'
import type { Catalog } from '@/domain/catalog'
import { DRIVERS, type DriverRow, type Isolation, isIsolationEnough } from '@/domain/drivers'
import { KINDS } from '@/domain/kinds'
import type { Inventory } from '@/domain/machines'
import { VerdictRow } from './verdict-row'

const DRIVER_TITLE: Record<DriverRow, string> = {
  sim: 'Simulator',
  'process-plain': 'Plain processes',
  'process-sandboxed': 'Sandbox',
  docker: 'Docker containers',
  kubernetes: 'Kubernetes pods',
}
const ISOLATION_TEXT: Record<Isolation, string> = {
  none: 'No isolation: only for you',
  sandbox: 'For you and people you trust',
  container: 'For you and people you trust',
  cluster: 'For everybody',
  vm: 'For everybody',
}

/** What a machine can run: each runtime of the catalog with its verdict, and what it can enforce. */
export function AbilitiesPanel({ inventory, catalog }: { inventory: Inventory; catalog: Catalog }) {
  const runtimes = runtimeRows(inventory, catalog)
  const ready = runtimes.filter((r) => r.isReady).length
  return (
    <Panel aria-label="What it can run">
      <PanelHead title="What it can run">
        <span className="text-small text-ink-3">
          {ready} of {runtimes.length} ready
        </span>
      </PanelHead>
      <ul>
        {runtimes.map((row) => (
          <VerdictRow key={row.title} {...row} />
        ))}
        <VerdictRow {...limitsRow(inventory)} />
        <VerdictRow {...strangersRow(inventory)} />
      </ul>
    </Panel>
  )
}

/** How a machine isolates what it runs, each way with its verdict. */
export function DriversPanel({ inventory }: { inventory: Inventory }) {
  return (
    <Panel aria-label="Drivers">
      <PanelHead title="Drivers" meta="how it runs them" />
      <ul>
        {inventory.drivers.map((driver) => (
          <VerdictRow
            key={driver.row}
            icon={driver.canPause ? Pause : Cpu}
            title={DRIVER_TITLE[driver.row]}
            detail={ISOLATION_TEXT[DRIVERS[driver.row].isolation]}
            isReady={driver.works}
            text={
              driver.detail ? sentence(driver.detail) : driver.canPause ? 'Can pause what it runs' : 'Cannot pause what it runs'
            }
            fix={driver.fix}
          />
        ))}
      </ul>
    </Panel>
  )
}

type Row = {
  icon: LucideIcon
  title: string
  detail: string
  isReady: boolean
  word?: string
  text?: string | null
  fix?: string | null
}

function runtimeRows(inventory: Inventory, catalog: Catalog): Row[] {
  return catalog.runtimes.map((runtime) => {
    const offer = inventory.runtimes.find((o) => o.runtime === runtime.id)
    return {
      icon: KIND_ICON[runtime.kind],
      title: `${KINDS[runtime.kind].label}: ${runtime.title}`,
      detail: runtime.detail,
      isReady: offer?.works ?? false,
      text: offer
        ? offer.detail
          ? sentence(offer.detail)
          : offer.works
            ? networkText(runtime.egress)
            : null
        : 'This machine did not look at it',
      fix: offer?.fix ?? null,
    }
  })
}

function networkText(egress: Catalog['runtimes'][number]['egress']): string {
  if (egress.open) return 'May reach every public address'
  return egress.allow.length === 0 ? 'Network denied until allowed' : `May reach ${egress.allow.length} hosts`
}

function limitsRow({ enforces }: Inventory): Row {
  const all = ['cpu', 'memory', 'pids', 'disk'] as const
  const words = { cpu: 'CPU', memory: 'memory', pids: 'processes', disk: 'disk' } as const
  const missing = all.filter((limit) => !enforces.includes(limit)).map((limit) => words[limit])
  const held = enforces.map((limit) => words[limit])
  return {
    icon: Gauge,
    title: 'Limits',
    detail: 'CPU, memory, processes, disk',
    isReady: held.length > 0,
    word: held.length === 0 ? 'Watched' : missing.length === 0 ? 'Enforced' : 'In part',
    text:
      missing.length === 0
        ? 'All enforced'
        : `${held.length === 0 ? '' : `Enforced: ${held.join(', ')}. `}Not enforced: ${missing.join(', ')}`,
  }
}

/** Whether people without trust may run here, by the same table that placement obeys. */
function strangersRow({ drivers }: Inventory): Row {
  const isOpen = drivers.some((d) => d.works && isIsolationEnough(DRIVERS[d.row].isolation, false, 'untrusted'))
  return {
    icon: Users,
    title: 'Other people',
    detail: 'Work of people you do not trust',
    isReady: isOpen,
    word: isOpen ? 'Ready' : 'Not here',
    text: isOpen ? null : 'A sandbox is for you and people you trust, not for strangers',
  }
}
