'use client'
import { usePathname } from 'next/navigation'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { LiveDot } from './live-dot'
import { Logo } from './logo'
import { isAt, isFullScreen, PLACES, type Place } from './nav'
import { useCounts } from './use-counts'

/** The left rail: 208 px, or icons only beside a page that fills the window. Not on phones. */
export function Rail({ version }: { version: string }) {
  const path = usePathname()
  const isNarrow = isFullScreen(path)
  const counts = useCounts()
  return (
    <nav
      aria-label="Main"
      className={cn(
        'flex shrink-0 flex-col border-r border-line bg-canvas px-2.5 max-md:hidden',
        isNarrow ? 'w-13 items-center' : 'w-52',
      )}
    >
      <Link
        href="/"
        aria-label={isNarrow ? 'Berth' : undefined}
        className="flex h-12 shrink-0 items-center gap-2.5 rounded-md px-2 text-lead font-semibold tracking-tight"
      >
        <Logo />
        {isNarrow ? null : 'Berth'}
      </Link>
      <div className="mt-1 flex flex-col gap-0.5">
        {PLACES.map((place) => (
          <RailLink
            key={place.href}
            place={place}
            isCurrent={isAt(place, path)}
            isNarrow={isNarrow}
            count={place.count && counts[place.count]}
          />
        ))}
      </div>
      <div className="mt-auto flex h-11 items-center gap-2 px-2.5 text-micro text-ink-3">
        <LiveDot isIconOnly={isNarrow} />
        {isNarrow ? null : <span className="num ml-auto">{version}</span>}
      </div>
    </nav>
  )
}

type LinkProps = { place: Place; isCurrent: boolean; isNarrow: boolean; count: number | undefined }

function RailLink({ place, isCurrent, isNarrow, count }: LinkProps) {
  const Icon = place.icon
  return (
    <Link
      href={place.href}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={isNarrow ? place.label : undefined}
      title={isNarrow ? place.label : undefined}
      className={cn(
        'flex h-8 items-center gap-2.5 rounded-md',
        isNarrow ? 'w-8 justify-center' : 'px-2.5',
        isCurrent ? 'bg-hover font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon className={cn('size-4 shrink-0', isCurrent ? 'text-accent-ink' : 'text-ink-3')} strokeWidth={1.75} aria-hidden />
      {isNarrow ? null : <span className="flex-1">{place.label}</span>}
      {isNarrow || count === undefined ? null : <span className="num text-micro text-ink-3">{count}</span>}
    </Link>
  )
}
