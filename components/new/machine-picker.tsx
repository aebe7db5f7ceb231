'use client'
import { ChevronDown, ChevronRight, CircleCheck, CircleSlash } from 'lucide-react'
import { useId, useState } from 'react'
import { Radio } from '@/components/ui/choice'
import { cn } from '@/components/ui/cn'
import { Select } from '@/components/ui/select'
import { Status } from '@/components/ui/status'
import type { Funnel } from '@/domain/placement'
import type { MachineView } from '@/domain/views'
import { machinesText } from './verdict'

const ROW =
  'grid min-h-9 grid-cols-[14px_minmax(0,1fr)] items-center gap-x-3 px-4 py-1 max-md:min-h-11 md:grid-cols-[14px_140px_minmax(0,1fr)_auto]'

type Props = {
  value: string | null
  machines: readonly MachineView[]
  funnel: Funnel | undefined
  onChange: (machineId: string | null) => void
}

/** Where to run: placement decides, and says how it sees the machines; or one chosen by hand. */
export function MachinePicker({ value, machines, funnel, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Machine</legend>
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        <AutomaticRow
          id={id}
          value={value}
          funnel={funnel}
          onChange={onChange}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        />
        {isOpen && value === null && funnel ? <FunnelMachines id={`${id}list`} funnel={funnel} /> : null}
        <ChosenRow id={id} value={value} machines={machines} onChange={onChange} />
      </div>
    </fieldset>
  )
}

type RowProps = Pick<Props, 'value' | 'onChange'> & { id: string }
type Unfolding = { isOpen: boolean; onToggle: () => void }

function AutomaticRow({ id, value, funnel, onChange, isOpen, onToggle }: RowProps & Pick<Props, 'funnel'> & Unfolding) {
  return (
    <div className={cn(ROW, 'border-b border-line', value === null && 'bg-accent-soft')}>
      <label htmlFor={`${id}auto`} className="contents">
        <Radio id={`${id}auto`} name="machine" checked={value === null} onChange={() => onChange(null)} />
        <span className={value === null ? 'font-semibold' : 'font-medium'}>Automatic</span>
      </label>
      <span className="min-w-0 truncate text-small text-ink-2 max-md:col-start-2">
        {value === null && funnel ? machinesText(funnel).join(' · ') : 'The machine that fits best'}
      </span>
      {value === null && funnel && funnel.machines.length > 0 ? (
        <button
          type="button"
          className="link flex items-center gap-1 text-small max-md:col-start-2 max-md:min-h-10"
          aria-expanded={isOpen}
          aria-controls={`${id}list`}
          onClick={onToggle}
        >
          {isOpen ? <ChevronDown className="size-3.5" aria-hidden /> : <ChevronRight className="size-3.5" aria-hidden />}
          Show why
        </button>
      ) : null}
    </div>
  )
}

function ChosenRow({ id, value, machines, onChange }: RowProps & Pick<Props, 'machines'>) {
  const [first] = machines
  return (
    <div className={cn(ROW, value !== null && 'bg-accent-soft')}>
      <label htmlFor={`${id}one`} className="contents">
        <Radio
          id={`${id}one`}
          name="machine"
          checked={value !== null}
          disabled={first === undefined}
          onChange={() => first && onChange(first.id)}
        />
        <span className={value === null ? 'font-medium' : 'font-semibold'}>Choose a machine</span>
      </label>
      {value === null ? (
        <span className="truncate text-small text-ink-3 max-md:col-start-2">It waits for that one and never moves elsewhere</span>
      ) : (
        <Select
          aria-label="Machine"
          size="sm"
          value={value}
          onChange={onChange}
          options={machines.map((m) => ({ value: m.id, label: m.isConnected ? m.name : `${m.name} (silent)` }))}
          className="max-w-60 max-md:col-start-2"
        />
      )}
    </div>
  )
}

function FunnelMachines({ id, funnel }: { id: string; funnel: Funnel }) {
  return (
    <ul id={id} className="max-h-60 overflow-y-auto border-b border-line bg-sunken">
      {funnel.machines.map((m) => (
        <li key={m.machineId} className="flex min-h-8 items-center gap-3 px-4 py-1 pl-10.5">
          <Status icon={m.droppedBy === null ? CircleCheck : CircleSlash} tone={m.droppedBy === null ? 'good' : 'ink-3'}>
            <span className="text-ink">{m.name}</span>
          </Status>
          <span className="min-w-0 truncate text-small text-ink-2" title={m.detail}>
            {m.detail}
          </span>
        </li>
      ))}
    </ul>
  )
}
