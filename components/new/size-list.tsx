'use client'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { bytesText } from '@/components/ui/bytes'
import { Radio } from '@/components/ui/choice'
import { cn } from '@/components/ui/cn'
import { Segmented } from '@/components/ui/segmented'
import type { Catalog } from '@/domain/catalog'
import { deviceClass } from '@/domain/gpu-class'
import type { MachineView } from '@/domain/views'
import { ClassCells } from './class-cells'
import { type Draft, hasSize, withClass, withSize } from './draft'
import { FitWord, isAsked } from './fit-word'

const COUNTS = [1, 2, 4, 8] as const
const GRID =
  'grid grid-cols-[14px_minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-3 border-b border-line px-4 last:border-b-0 md:grid-cols-[14px_minmax(0,140px)_128px_minmax(0,1fr)_176px]'

type Props = { draft: Draft; catalog: Catalog; machines: readonly MachineView[]; onChange: (draft: Draft) => void }

/** Sizes without a GPU, then GPU classes; every row says what would happen if it were created now. */
export function SizeList({ draft, catalog, machines, onChange }: Props) {
  const count = draft.gpu?.count ?? 1
  const present = new Set(machines.flatMap((m) => m.inventory?.devices ?? []).map((d) => deviceClass(d, catalog)))
  const here = catalog.classes.filter((c) => present.has(c.id) || draft.gpu?.class === c.id)
  const elsewhere = catalog.classes.filter((c) => !here.includes(c))
  const isOwnSize = draft.gpu === null && !catalog.sizes.some((size) => hasSize(draft, size))
  const setCount = (n: number) => draft.gpu && onChange({ ...draft, gpu: { ...draft.gpu, count: n } })
  const row = (c: Catalog['classes'][number]) => {
    const next = withClass(draft.gpu ? draft : { ...draft, gpu: null }, c, catalog)
    return (
      <Row key={c.id} name={c.id} draft={next} isChosen={draft.gpu?.class === c.id} onChoose={() => onChange(next)}>
        <ClassCells classId={c.id} catalog={catalog} machines={machines} />
      </Row>
    )
  }
  return (
    <fieldset>
      <legend className="sr-only">Size or GPU class</legend>
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <span aria-hidden className="font-semibold">
          Size or GPU class
        </span>
        {draft.gpu ? <GpuCount count={count} onChange={setCount} /> : null}
      </div>
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        <Head title="CPU only" note="If you create it now" />
        {catalog.sizes.map((size) => (
          <Row
            key={size.id}
            name={size.title}
            draft={withSize(draft, size)}
            isChosen={hasSize(draft, size)}
            onChoose={() => onChange(withSize(draft, size))}
          />
        ))}
        {isOwnSize ? <Row name="As below" draft={draft} isChosen onChoose={() => undefined} /> : null}
        {catalog.classes.length > 0 ? <Head title={`With ${count} ${count === 1 ? 'GPU' : 'GPUs on one machine'}`} /> : null}
        {draft.gpu?.class === null ? <Row name="Any GPU" draft={draft} isChosen onChoose={() => undefined} /> : null}
        {here.map(row)}
        <Elsewhere count={elsewhere.length} hasOthers={here.length > 0}>
          {elsewhere.map(row)}
        </Elsewhere>
      </div>
    </fieldset>
  )
}

function GpuCount({ count, onChange }: { count: number; onChange: (count: number) => void }) {
  return (
    <span className="ml-auto flex items-center gap-2 text-small text-ink-2">
      GPUs
      <Segmented
        label="GPUs on one machine"
        value={String(count)}
        onChange={(value) => onChange(Number(value))}
        options={COUNTS.map((n) => ({ value: String(n), label: <span className="num">{n}</span> }))}
      />
    </span>
  )
}

function Head({ title, note }: { title: string; note?: string }) {
  return (
    <p className="flex h-7 items-center justify-between border-b border-line bg-sunken px-4 text-micro font-medium text-ink-3">
      <span>{title}</span>
      {note ? <span className="md:w-44">{note}</span> : null}
    </p>
  )
}

type RowProps = { name: string; draft: Draft; isChosen: boolean; onChoose: () => void; children?: ReactNode }

function Row({ name, draft, isChosen, onChoose, children }: RowProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className={cn(
        GRID,
        'min-h-9 py-1 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent max-md:min-h-11',
        isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <Radio id={id} name="size" checked={isChosen} onChange={onChoose} className="[&_input]:outline-none" />
      <span className={cn('truncate', isChosen ? 'font-semibold' : 'font-medium')}>{name}</span>
      <span className="truncate text-small whitespace-nowrap text-ink-2">
        {isAsked(draft) ? `${draft.cpus} CPU · ${bytesText(draft.memoryBytes)}` : 'not a number yet'}
      </span>
      <span className="min-w-0 max-md:col-span-2 max-md:col-start-2 max-md:empty:hidden">{children}</span>
      <span className="min-w-0 max-md:col-span-2 max-md:col-start-2">
        <FitWord draft={draft} />
      </span>
    </label>
  )
}

/** Classes that no machine here has: they can be asked for, but are out of the way. */
function Elsewhere({ count, hasOthers, children }: { count: number; hasOthers: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (count === 0) return null
  if (isOpen) return children
  return (
    <button
      type="button"
      onClick={() => setOpen(true)}
      className="flex min-h-9 w-full items-center gap-3 px-4 text-left text-small text-ink-2 hover:bg-hover focus-visible:-outline-offset-2 max-md:min-h-11"
    >
      <ChevronRight className="size-3.5 shrink-0 text-ink-3" aria-hidden />
      {hasOthers
        ? `${count} more ${count === 1 ? 'class' : 'classes'} that no machine here has`
        : `No machine here has a GPU; show the ${count} classes`}
    </button>
  )
}
