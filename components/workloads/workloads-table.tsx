'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import type { MouseEvent } from 'react'
import { workloadPath } from '@/components/frame/routes'
import { Checkbox } from '@/components/ui/choice'
import { Table, Td, THead, Th, Tr } from '@/components/ui/table'
import { Age } from '@/components/ui/time'
import type { WorkloadView } from '@/domain/views'
import { ClassLabel } from './class-label'
import { KindLabel } from './kind-label'
import { ReasonText } from './reason-text'
import { type RowActions, RowMenu } from './row-menu'
import { StateBadge } from './state-badge'
import { useRowKeys } from './use-row-keys'
import type { Selection } from './use-selection'

type Props = {
  rows: readonly WorkloadView[]
  selection: Selection<WorkloadView>
  menu: RowActions
}

const COLUMNS = ['w-10', 'w-46', 'w-36', '', 'w-25', 'w-28', 'w-33', 'w-24', 'w-17', 'w-14'] as const

/** The list on wide screens: one line a workload, what differs first. */
export function WorkloadsTable({ rows, selection, menu }: Props) {
  const router = useRouter()
  const keys = useRowKeys({
    ids: rows.map((row) => row.id),
    onOpen: (id) => router.push(workloadPath(id)),
    onToggle: selection.toggle,
    onClear: selection.clear,
  })
  return (
    <Table>
      <colgroup>
        {COLUMNS.map((width, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are fixed
          <col key={i} className={width} />
        ))}
      </colgroup>
      <Head selection={selection} />
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            keys={keys(row.id)}
            isSelected={selection.ids.has(row.id)}
            onToggle={() => selection.toggle(row.id)}
            onOpen={() => router.push(workloadPath(row.id))}
            menu={<RowMenu workload={row} {...menu} />}
          />
        ))}
      </tbody>
    </Table>
  )
}

function Head({ selection }: Pick<Props, 'selection'>) {
  return (
    <THead className="sticky top-0 z-10">
      <Th>
        <Checkbox
          aria-label="Select all shown"
          className="align-middle"
          checked={selection.isAll}
          ref={(box) => {
            if (box) box.indeterminate = selection.ids.size > 0 && !selection.isAll
          }}
          onChange={selection.toggleAll}
        />
      </Th>
      <Th>State</Th>
      <Th>Name</Th>
      <Th>Reason</Th>
      <Th>Kind</Th>
      <Th>Machine</Th>
      <Th>Class</Th>
      <Th>Owner</Th>
      <Th isNumber className="pr-3">
        Age
      </Th>
      <Th>
        <span className="sr-only">Actions</span>
      </Th>
    </THead>
  )
}

type RowProps = {
  row: WorkloadView
  keys: ReturnType<ReturnType<typeof useRowKeys>>
  isSelected: boolean
  onToggle: () => void
  onOpen: () => void
  menu: React.ReactNode
}

function Row({ row, keys, isSelected, onToggle, onOpen, menu }: RowProps) {
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const isControl = event.target instanceof Element && event.target.closest('a, button, input, label, [role=menu]') !== null
    if (!isControl && !getSelection()?.toString()) onOpen()
  }
  return (
    <Tr {...keys} isSelected={isSelected} onClick={onClick} className="cursor-default">
      <Td className="pr-0">
        <Checkbox aria-label={`Select ${row.name}`} className="align-middle" checked={isSelected} onChange={onToggle} />
      </Td>
      <Td className="pr-0">
        <StateBadge workload={row} />
      </Td>
      <Td>
        <Link href={workloadPath(row.id)} tabIndex={-1} className="block truncate font-medium hover:underline">
          {row.name}
        </Link>
      </Td>
      <Td className="pr-4">
        <ReasonText workload={row} className="truncate" />
      </Td>
      <Td className="text-small">
        <KindLabel kind={row.kind} />
      </Td>
      <Td>
        <MachineName row={row} />
      </Td>
      <Td className="text-small">
        <ClassLabel spec={row.spec} placement={row.placement} />
      </Td>
      <Td className="truncate text-ink-2">{row.ownerName}</Td>
      <Td isNumber className="pr-3 text-small text-ink-2">
        <Age at={row.createdAt} />
      </Td>
      <Td className="pr-2 text-right">{menu}</Td>
    </Tr>
  )
}

/** Where it runs, or where its files wait for it; a dash where there is neither. */
function MachineName({ row }: { row: WorkloadView }) {
  const name = row.placement?.machineName ?? row.reach?.machineName
  if (!name) return <span className="text-ink-3">–</span>
  return <span className={row.placement ? 'block truncate' : 'block truncate text-ink-3'}>{name}</span>
}
