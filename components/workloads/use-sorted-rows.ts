'use client'
import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { WorkloadView } from '@/domain/views'
import { COLUMN_IDS, type ColumnId } from './columns'
import { compareBy } from './compare-rows'
import type { ListLook } from './use-list-filter'

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, sortedRowModel: createSortedRowModel() })
type Column = ColumnDef<typeof features, WorkloadView>

/** The rows in the order of the look, and its columns; what does not change stays the same object. */
export function useSortedRows(rows: WorkloadView[], { sort, columns }: ListLook) {
  const isDescending = sort?.isDescending ?? false
  // Direction is given to the comparison: what has no value stays last both ways, so the table itself never turns it round.
  const defs = useMemo(() => COLUMN_IDS.map((id) => columnOf(id, isDescending)), [isDescending])
  const state = useMemo(
    () => ({
      sorting: sort ? [{ id: sort.id, desc: false }] : [],
      columnVisibility: Object.fromEntries(COLUMN_IDS.map((id) => [id, columns.includes(id)])),
    }),
    [sort, columns],
  )
  const table = useTable({ features, columns: defs, data: rows, getRowId: (row) => row.id, state })
  return {
    rows: table.getRowModel().rows.map((row) => row.original),
    columns: COLUMN_IDS.filter((id) => table.getColumn(id)?.getIsVisible()),
  }
}

function columnOf(id: ColumnId, isDescending: boolean): Column {
  return { id, accessorFn: (row) => row.id, sortFn: (a, b) => compareBy(id, [a.original, b.original], isDescending) }
}
