'use client'
import { Plus } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useMayCreate } from '@/components/api/use-may-create'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { isAt, isFullScreen, PLACES, type Place } from './nav'

/** The rail of a phone. */
export function BottomBar() {
  const path = usePathname()
  const mayCreate = useMayCreate()
  if (isFullScreen(path)) return null
  const [home, workloads, ...others] = PLACES
  return (
    <nav aria-label="Main" className="flex h-19 shrink-0 border-t border-line bg-surface px-2 pb-4 md:hidden">
      {[home, workloads].map((place) =>
        place ? <BarLink key={place.href} place={place} isCurrent={isAt(place, path) && path !== '/new'} /> : null,
      )}
      {mayCreate ? <NewLink isCurrent={path === '/new'} /> : null}
      {others.map((place) => (
        <BarLink key={place.href} place={place} isCurrent={isAt(place, path)} />
      ))}
    </nav>
  )
}

function NewLink({ isCurrent }: { isCurrent: boolean }) {
  return (
    <Link
      href="/new"
      aria-current={isCurrent ? 'page' : undefined}
      className="flex flex-1 flex-col items-center justify-center gap-0.5 rounded-md text-micro font-medium text-accent-ink"
    >
      <span className="inline-flex h-7 w-11 items-center justify-center rounded-md bg-accent text-on-accent">
        <Plus className="size-4 shrink-0" aria-hidden />
      </span>
      New
    </Link>
  )
}

function BarLink({ place, isCurrent }: { place: Place; isCurrent: boolean }) {
  const Icon = place.icon
  return (
    <Link
      href={place.href}
      aria-current={isCurrent ? 'page' : undefined}
      className={cn(
        'flex flex-1 flex-col items-center justify-center gap-0.5 rounded-md text-micro font-medium',
        isCurrent ? 'text-ink' : 'text-ink-3',
      )}
    >
      <span className="inline-flex h-7 items-center">
        <Icon className={cn('size-5 shrink-0', isCurrent && 'text-accent-ink')} strokeWidth={1.75} aria-hidden />
      </span>
      {place.short ?? place.label}
    </Link>
  )
}
