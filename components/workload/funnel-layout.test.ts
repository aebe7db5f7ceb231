import { describe, expect, it } from 'vitest'
import type { Filter, Funnel, FunnelMachine } from '@/domain/placement'
import { FILTER_NAMES } from '@/domain/placement'
import { because } from '@/domain/reasons'
import { layOutFunnel, NARROW, stoppingFilter, WIDE } from './funnel-layout'

const DROPS: [string, Filter | null][] = [
  ['tom-desktop', 'sharing'],
  ['rack-3', 'online'],
  ['mara-mbp', 'online'],
  ['rack-1', 'gpu_class'],
  ['k8s-lab', 'gpu_class'],
  ['workbench', 'gpu_class'],
  ['atlas', 'devices'],
  ['rack-2', 'devices'],
  ['harbor', 'devices'],
]

function funnelOf(drops: readonly [string, Filter | null][]): Funnel {
  const machines: FunnelMachine[] = drops.map(([name, droppedBy]) => ({ machineId: name, name, droppedBy, detail: '' }))
  let left = machines.length
  const rows = FILTER_NAMES.map((filter) => {
    const dropped = machines.filter((m) => m.droppedBy === filter)
    left -= dropped.length
    return { filter, asked: 'any', left, dropped: dropped.length, machines: dropped }
  })
  const fitting = machines.find((m) => m.droppedBy === null)
  const chosen = fitting
    ? { machineId: fitting.machineId, name: fitting.name, driver: 'sim', placedClass: null, devices: [] }
    : null
  return { machines, rows, chosen, reason: because('waiting_first_look', {}), suggestions: [], queue: null }
}

describe('funnel layout', () => {
  it('draws nine machines exactly where the design has them', () => {
    const layout = layOutFunnel(funnelOf(DROPS), new Set(['gpu_class', 'devices']), WIDE)
    const ends = layout.lines.map((line) => [line.machine.name, line.x, line.endY])
    expect(ends).toEqual([
      ['atlas', 9, 349.5],
      ['rack-2', 27, 380.5],
      ['harbor', 45, 411.5],
      ['rack-1', 63, 220.5],
      ['k8s-lab', 81, 251.5],
      ['workbench', 99, 282.5],
      ['rack-3', 117, 119],
      ['mara-mbp', 135, 119],
      ['tom-desktop', 153, 51],
    ])
    expect(layout.heightPx).toBe(564)
    expect(layout.lines[0]?.dots).toEqual([17, 51, 85, 119, 153, 187])
    expect(layout.lines.filter((line) => line.isFurthest).map((line) => line.machine.name)).toEqual(['atlas', 'rack-2', 'harbor'])
  })

  it('marks the one filter that left nothing, and the filters behind it', () => {
    const funnel = funnelOf(DROPS)
    expect(stoppingFilter(funnel)).toBe('devices')
    const rows = layOutFunnel(funnel, new Set(), NARROW).rows
    expect(rows.filter((r) => r.stops).map((r) => r.row.filter)).toEqual(['devices'])
    expect(rows.filter((r) => r.isAfter).map((r) => r.row.filter)).toEqual(['cpu', 'memory', 'disk', 'workspace'])
  })

  it('runs a fitting machine through to the bottom and stops nowhere', () => {
    const funnel = funnelOf([
      ['atlas', null],
      ['rack-1', 'cpu'],
    ])
    const layout = layOutFunnel(funnel, new Set(), WIDE)
    expect(stoppingFilter(funnel)).toBeNull()
    expect(layout.lines[0]).toMatchObject({ fits: true, endY: layout.heightPx, isFurthest: true })
    expect(layout.lines[0]?.dots).toHaveLength(FILTER_NAMES.length)
  })

  it('opens no row that dropped nothing', () => {
    const rows = layOutFunnel(funnelOf(DROPS), new Set(FILTER_NAMES), WIDE).rows
    expect(rows.filter((r) => r.isOpen).map((r) => r.row.filter)).toEqual(['sharing', 'online', 'gpu_class', 'devices'])
  })

  it('keeps every line inside its column, however many machines there are', () => {
    const many = funnelOf(Array.from({ length: 40 }, (_, i) => [`m${i}`, 'devices'] as [string, Filter]))
    const xs = layOutFunnel(many, new Set(), WIDE).lines.map((line) => line.x)
    expect(Math.max(...xs)).toBeLessThanOrEqual(WIDE.widthPx - 6)
    expect(new Set(xs).size).toBe(40)
  })

  it('draws nothing for no machines', () => {
    const layout = layOutFunnel(funnelOf([]), new Set(), WIDE)
    expect(layout.lines).toEqual([])
    expect(stoppingFilter(funnelOf([]))).toBeNull()
  })
})
