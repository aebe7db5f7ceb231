'use client'
import { Layers, Plus, SearchX } from 'lucide-react'
import Link from 'next/link'
import { useMayCreate } from '@/components/api/use-may-create'
import { Button, buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { KINDS } from '@/domain/kinds'
import { type ListFilter, VIEWS } from './views'

type Props = { filter: ListFilter; onClear: () => void }

/** A list without a row: because of its filters, or because there is nothing yet. */
export function NoWorkloads({ filter, onClear }: Props) {
  const mayCreate = useMayCreate()
  const isFiltered = filter.kind !== null || filter.text !== ''
  if (isFiltered) {
    return (
      <Empty
        icon={SearchX}
        title="Nothing matches"
        action={
          <Button size="sm" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        No workload in “{VIEWS[filter.view].label}” {missText(filter)}.
      </Empty>
    )
  }
  if (!mayCreate) {
    return (
      <Empty icon={Layers} title={VIEWS[filter.view].empty}>
        A viewer sees here what others share.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Layers}
      title={VIEWS[filter.view].empty}
      action={
        <>
          <NewLink kind="notebook">New notebook</NewLink>
          <NewLink kind="session">New session</NewLink>
        </>
      }
    >
      A notebook or a session is two clicks away.
    </Empty>
  )
}

function missText({ kind, text }: ListFilter): string {
  if (kind === null) return 'has this in its name'
  return text === '' ? `is a ${KINDS[kind].label.toLowerCase()}` : `is a ${KINDS[kind].label.toLowerCase()} with this in its name`
}

function NewLink({ kind, children }: { kind: 'notebook' | 'session'; children: string }) {
  return (
    <Link href={`/new?kind=${kind}`} className={buttonClass({ size: 'sm' })}>
      <Plus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      {children}
    </Link>
  )
}
