import { cn } from './cn'

const FILL = { mark: 'bg-mark', accent: 'bg-accent', wait: 'bg-wait', warn: 'bg-warn' } as const

type Props = { value: number; label: string; tone?: keyof typeof FILL; className?: string; isProgress?: boolean }

/** A share from 0 to 1. A use above 90 % turns amber; progress (`isProgress`) does not. */
export function Meter({ value, label, tone = 'mark', className, isProgress }: Props) {
  const share = Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0))
  const percent = Math.round(share * 100)
  const fill = isProgress ? 'wait' : share > 0.9 ? 'warn' : tone
  return (
    <span className={cn('relative inline-block h-1 overflow-hidden rounded-xs bg-line align-middle', className)}>
      {isProgress ? (
        <progress className="sr-only" aria-label={label} value={percent} max={100} />
      ) : (
        <meter className="sr-only" aria-label={label} value={percent} min={0} max={100} />
      )}
      <span aria-hidden className={cn('block h-full rounded-xs', FILL[fill])} style={{ width: `${percent}%` }} />
    </span>
  )
}
