import { cn } from './cn'

const LOOK = {
  free: 'border-mark bg-surface',
  busy: 'border-accent bg-accent-soft',
  foreign: 'border-mark hatch',
  wedged: 'border-bad bg-bad-soft text-bad',
  silent: 'border-dashed border-mark',
  off: 'border-line-2 bg-sunken',
} as const
export type CellLook = keyof typeof LOOK

type Props = { look: CellLook; use?: number; label: string; size?: 'sm' | 'lg' }

/** One device as a cell. A busy one is filled from below to its measured use (0 to 1), so a held, idle one looks empty. */
export function DeviceCell({ look, use = 0, label, size = 'sm' }: Props) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={cn(
        'relative inline-block shrink-0 overflow-hidden rounded-xs border align-middle',
        size === 'sm' ? 'h-4 w-3' : 'h-6 w-5',
        LOOK[look],
      )}
    >
      {look === 'busy' ? (
        <span
          className="absolute inset-x-0 bottom-0 bg-accent"
          style={{ height: `${Math.round(Math.min(1, Math.max(0, use)) * 100)}%` }}
        />
      ) : null}
      {look === 'wedged' ? (
        <svg
          viewBox="0 0 12 16"
          aria-hidden="true"
          className="absolute inset-0 size-full"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        >
          <path d="M3.5 5.5l5 5m0-5l-5 5" />
        </svg>
      ) : null}
    </span>
  )
}
