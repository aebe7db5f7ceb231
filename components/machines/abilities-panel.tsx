import { Cpu, Gauge, Pause, Users } from 'lucide-react'
import { KIND_ICON } from '@/components/frame/state-look'
import { Panel, PanelHead } from '@/components/ui/panel'
import { sentence } from '@/components/ui/sentence'
import type { Catalog } from '@/domain/catalog'
import { DRIVERS, type Isolation } from '@/domain/drivers'
import { KINDS } from '@/domain/kinds'
import type { Inventory } from '@/domain/machines'
import { limitsAbility, runtimeAbility, strangersAbility } from './ability-words'
import { DRIVER_TITLE } from './driver-words'
import { VerdictRow } from './verdict-row'

const ISOLATION_TEXT: Record<Isolation, string> = {
  none: 'No isolation: only for you',
  sandbox: 'For you and people you trust',
  container: 'For you and people you trust',
  cluster: 'For everybody',
  vm: 'For everybody',
}

/** What a machine can run: each runtime of the catalog with its verdict, and what it can enforce. */
export function AbilitiesPanel({ inventory, catalog }: { inventory: Inventory; catalog: Catalog }) {
  const runtimes = catalog.runtimes.map((runtime) => ({ runtime, ability: runtimeAbility(inventory, runtime) }))
  const ready = runtimes.filter((r) => r.ability.isReady).length
  return (
    <Panel aria-label="What it can run">
      <PanelHead title="What it can run">
        <span className="text-small text-ink-3">
          {ready} of {runtimes.length} ready
        </span>
      </PanelHead>
      <ul>
        {runtimes.map(({ runtime, ability }) => (
          <VerdictRow
            key={runtime.id}
            icon={KIND_ICON[runtime.kind]}
            title={`${KINDS[runtime.kind].label}: ${runtime.title}`}
            detail={runtime.detail}
            {...ability}
          />
        ))}
        <VerdictRow icon={Gauge} title="Limits" detail="CPU, memory, processes, disk" {...limitsAbility(inventory)} />
        <VerdictRow icon={Users} title="Other people" detail="Work of people you do not trust" {...strangersAbility(inventory)} />
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
