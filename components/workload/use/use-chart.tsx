'use client'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { cn } from '@/components/ui/cn'

const HEIGHT_PX = 52
const LINE_PX = 1.5
const FILL_SHARE = 14

type Points = { seconds: readonly number[]; values: readonly (number | null)[] }
type Props = { points: Points; max: number; fromSecond: number; toSecond: number; isAccent: boolean }

/** A line over time with its area, no words: those stand beside it. Fills the width of its parent. */
export function UseChart({ points, max, fromSecond, toSecond, isAccent }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const bounds = useRef({ max, fromSecond, toSecond })
  useEffect(() => {
    const { current } = box
    if (!current) return
    const made = makeChart(current, {
      y: () => [0, bounds.current.max],
      x: () => [bounds.current.fromSecond, bounds.current.toSecond],
    })
    chart.current = made
    const resize = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height: HEIGHT_PX }))
    resize.observe(current)
    // Colours follow the theme of the page: a canvas must be told to draw again.
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => made.redraw(false)
    const chosen = new MutationObserver(redraw)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    scheme.addEventListener('change', redraw)
    return () => {
      resize.disconnect()
      chosen.disconnect()
      scheme.removeEventListener('change', redraw)
      made.destroy()
    }
  }, [])
  useEffect(() => {
    bounds.current = { max, fromSecond, toSecond }
    chart.current?.setData([[...points.seconds], [...points.values]])
  }, [points, max, fromSecond, toSecond])
  return (
    <div aria-hidden className={cn('relative h-13', isAccent ? 'text-accent' : 'text-mark')}>
      <span className="absolute inset-x-0 top-0 border-t border-dashed border-line" />
      <span className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
      <div ref={box} className="absolute inset-0 overflow-hidden border-b border-line" />
    </div>
  )
}

type Ranges = { x: () => [number, number]; y: () => [number, number] }

function makeChart(box: HTMLElement, ranges: Ranges): uPlot {
  const colour = () => getComputedStyle(box).color
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT_PX,
      padding: [2, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: { x: { range: ranges.x }, y: { range: ranges.y } },
      series: [
        {},
        {
          stroke: colour,
          fill: () => `color-mix(in oklab, ${colour()} ${FILL_SHARE}%, transparent)`,
          width: LINE_PX,
          points: { show: false },
        },
      ],
    },
    [[], []],
    box,
  )
}
