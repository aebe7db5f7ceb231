'use client'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { MouseEvent } from 'react'
import { workloadPath } from '@/components/frame/routes'
import { useGo } from '@/components/frame/use-go'
import { buttonClass } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/choice'
import { cn } from '@/components/ui/cn'
import { Table, Td, THead, Th, Tr } from '@/components/ui/table'
import type { WorkloadView } from '@/domain/views'
import { availability } from './actions'
import { COLUMNS, type ColumnId, nextSort, roomClass, rowOf, type Sort } from './columns'
import { OpenLink } from './open-link'
import { type RowActions, RowMenu } from './row-menu'
import { CELLS } from './table-columns'
import { LatestUseOf } from './use-cell'
import type { ListLook } from './use-list-filter'
import { useRowKeys } from './use-row-keys'
import type { Selection } from './use-selection'
import { useSortedRows } from './use-sorted-rows'

type Props = {
  rows: WorkloadView[]
  look: ListLook
  onSort: (sort: Sort | null) => void
  selection: Selection<WorkloadView>
  menu: RowActions
}

/** The list on wide screens: one line a workload, what differs first. */
export function WorkloadsTable({ rows: unsorted, look, onSort, selection, menu }: Props) {
  const go = useGo()
  const { rows, columns } = useSortedRows(unsorted, look)
  const keys = useRowKeys({
    ids: rows.map((row) => row.id),
    onOpen: (id) => go(workloadPath(id)),
    onToggle: selection.toggle,
    onClear: selection.clear,
  })
  return (
    <Table>
      <colgroup>
        <col className="w-10" />
        {columns.map((id) => (
          <col key={id} className={cn(COLUMNS[id].width, roomClass(id))} />
        ))}
        {columns.includes('reason') ? null : <col />}
        <col className="w-27" />
      </colgroup>
      <Head columns={columns} sort={look.sort} onSort={onSort} selection={selection} />
      <tbody>
        <LatestUseOf workloads={rows}>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              columns={columns}
              keys={keys(row.id)}
              isSelected={selection.ids.has(row.id)}
              onToggle={() => selection.toggle(row.id)}
              onOpen={() => go(workloadPath(row.id))}
              menu={<RowMenu workload={row} {...menu} />}
            />
          ))}
        </LatestUseOf>
      </tbody>
    </Table>
  )
}

type HeadProps = { columns: readonly ColumnId[]; sort: Sort | null; onSort: Props['onSort']; selection: Props['selection'] }

function Head({ columns, sort, onSort, selection }: HeadProps) {
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
      {columns.map((id) => (
        <ColumnHead key={id} id={id} sort={sort?.id === id ? sort : null} onSort={() => onSort(nextSort(sort, id))} />
      ))}
      {columns.includes('reason') ? null : <td />}
      <Th>
        <span className="sr-only">Actions</span>
      </Th>
    </THead>
  )
}

function ColumnHead({ id, sort, onSort }: { id: ColumnId; sort: Sort | null; onSort: () => void }) {
  const Arrow = sort?.isDescending ? ArrowUp : ArrowDown
  const { isNumber = false, isUnsorted = false } = rowOf(id)
  if (isUnsorted) {
    return (
      <Th isNumber={isNumber} className={cn('pr-3', roomClass(id))}>
        {COLUMNS[id].label}
      </Th>
    )
  }
  return (
    <Th
      isNumber={isNumber}
      aria-sort={sort === null ? 'none' : sort.isDescending ? 'descending' : 'ascending'}
      className={isNumber ? 'pr-3' : ''}
    >
      <button
        type="button"
        onClick={onSort}
        title={`Sort by ${COLUMNS[id].label.toLowerCase()}`}
        className={cn('inline-flex h-6 items-center gap-1 rounded-sm hover:text-ink', sort !== null && 'text-ink')}
      >
        {COLUMNS[id].label}
        {sort === null ? null : <Arrow className="size-3" aria-hidden />}
      </button>
    </Th>
  )
}

type RowProps = {
  row: WorkloadView
  columns: readonly ColumnId[]
  keys: ReturnType<ReturnType<typeof useRowKeys>>
  isSelected: boolean
  onToggle: () => void
  onOpen: () => void
  menu: React.ReactNode
}

function Row({ row, columns, keys, isSelected, onToggle, onOpen, menu }: RowProps) {
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const isControl = event.target instanceof Element && event.target.closest('a, button, input, label, [role=menu]') !== null
    if (!isControl && !getSelection()?.toString()) onOpen()
  }
  return (
    <Tr {...keys} isSelected={isSelected} onClick={onClick} className="cursor-default">
      <Td className="pr-0">
        <Checkbox aria-label={`Select ${row.name}`} className="align-middle" checked={isSelected} onChange={onToggle} />
      </Td>
      {columns.map((id) => (
        <Td key={id} isNumber={rowOf(id).isNumber ?? false} className={cn(CELLS[id].className, roomClass(id))}>
          {CELLS[id].show(row)}
        </Td>
      ))}
      {columns.includes('reason') ? null : <td />}
      <Td className="pr-2">
        <div className="flex items-center justify-end gap-1">
          {availability('open', row).can ? (
            <OpenLink workload={row} className={buttonClass({ size: 'xs' })}>
              Open
            </OpenLink>
          ) : null}
          {menu}
        </div>
      </Td>
    </Tr>
  )
}
