import type { FunnelLayout, LayoutLine } from './funnel-layout'

/** One line a machine, through every filter that it passed; it ends in a mark where it was dropped. */
export function FunnelLines({ layout, left, width }: { layout: FunnelLayout; left: number; width: number }) {
  return (
    <svg
      className="pointer-events-none absolute top-0"
      style={{ left }}
      width={width}
      height={layout.heightPx}
      fill="none"
      aria-hidden="true"
    >
      {layout.lines.map((line) => (
        <Line key={line.machine.machineId} line={line} />
      ))}
    </svg>
  )
}

function Line({ line: { x, endY, dots, fits, isFurthest } }: { line: LayoutLine }) {
  const stopY = fits ? endY : endY - 5
  return (
    <>
      <g className={isFurthest ? 'text-accent' : 'text-mark'}>
        <path d={`M${x} 0V${stopY}`} stroke="currentColor" strokeWidth="1.5" />
        {dots.map((y) => (
          <circle key={y} cx={x} cy={y} r="2.5" fill="currentColor" />
        ))}
      </g>
      {fits ? null : (
        <g className={isFurthest ? 'text-wait' : 'text-mark'}>
          <rect
            x={x - 4.5}
            y={endY - 4.5}
            width="9"
            height="9"
            rx="1.5"
            className="fill-surface"
            stroke="currentColor"
            strokeWidth="1.5"
          />
          <path
            d={`M${x - 1.75} ${endY - 1.75}l3.5 3.5m0-3.5l-3.5 3.5`}
            stroke="currentColor"
            strokeWidth="1.25"
            strokeLinecap="round"
          />
        </g>
      )}
    </>
  )
}
