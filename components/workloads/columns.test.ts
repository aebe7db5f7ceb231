import { expect, it } from 'vitest'
import { viewOf } from '@/testing/workload-view'
import { COLUMN_IDS, type ColumnId, nextSort, sortOf, sortText, toggleColumn, USUAL_COLUMNS } from './columns'
import { compareBy } from './compare-rows'

const at = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour))
const rows = [
  viewOf({ name: 'run-10', state: 'running', createdAt: at(9), lastOpenedAt: at(10) }),
  viewOf({ name: 'run-2', state: 'failed', createdAt: at(8) }),
  viewOf({ name: 'eda', state: 'parked', createdAt: at(7), lastOpenedAt: at(11) }),
]
const sorted = (id: ColumnId, isDescending = false) =>
  [...rows].sort((a, b) => compareBy(id, [a, b], isDescending)).map(({ name }) => name)

it.each([
  ['names by letters, and their numbers by size', sorted('name'), ['eda', 'run-2', 'run-10']],
  ['states by how much they need eyes', sorted('state'), ['run-2', 'run-10', 'eda']],
  ['age: the youngest first', sorted('age'), ['run-10', 'run-2', 'eda']],
  ['the other way round', sorted('age', true), ['eda', 'run-2', 'run-10']],
  ['what was never opened comes last', sorted('opened'), ['eda', 'run-10', 'run-2']],
  ['… also the other way round', sorted('opened', true), ['run-10', 'eda', 'run-2']],
])('sorts %s', (_, names, expected) => {
  expect(names).toEqual(expected)
})

it('a sort survives the URL, and nonsense in it sorts nothing', () => {
  for (const id of COLUMN_IDS.filter((known) => known !== 'use'))
    for (const isDescending of [true, false]) expect(sortOf(sortText({ id, isDescending }))).toEqual({ id, isDescending })
  expect(['', '-', 'password', 'use', '-use'].map(sortOf)).toEqual([null, null, null, null, null])
})

it('a click sorts, the next turns it round, the third lets it be', () => {
  const first = nextSort(null, 'name')
  const second = nextSort(first, 'name')
  expect([first, second, nextSort(second, 'name')]).toEqual([sortOf('name'), sortOf('-name'), null])
  expect(nextSort(second, 'age')).toEqual(sortOf('age'))
})

it('a column comes back in its place', () => {
  expect(toggleColumn(toggleColumn(USUAL_COLUMNS, 'kind'), 'kind')).toEqual(USUAL_COLUMNS)
  expect(toggleColumn(['state', 'name', 'age'], 'cpus')).toEqual(['state', 'name', 'cpus', 'age'])
})
