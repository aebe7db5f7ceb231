'use client'
import { BuildingComplex, Plus, Search } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useMayCreate } from '@/components/api/use-may-create'
import { buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CommandKey } from '@/components/ui/command-key'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Link } from '@/components/ui/link'
import { Crumbs } from './crumbs'
import { LiveDot } from './live-dot'
import { Logo } from './logo'
import { isFullScreen } from './nav'
import { type Person, PersonMenu } from './person-menu'
import type { Theme } from './theme'
import { ThemeMenu } from './theme-menu'

type Props = { person: Person; tenantName: string; theme: Theme; onSearch: () => void }

/** Tenant, where this page is, search, New, theme, person. */
export function TopBar({ person, tenantName, theme, onSearch }: Props) {
  const isTerminal = isFullScreen(usePathname())
  return (
    <header
      className={cn(
        'flex h-12 shrink-0 items-center gap-2 border-b border-line bg-canvas px-6 max-md:h-13 max-md:px-4',
        isTerminal && 'max-md:hidden',
      )}
    >
      <Logo className="md:hidden" />
      <span className="flex min-w-0 items-center gap-2 font-medium">
        <BuildingComplex className="size-3.5 shrink-0 text-ink-3 max-md:hidden" aria-hidden />
        <span className="truncate">{tenantName}</span>
      </span>
      <Crumbs />
      <div className="ml-auto flex items-center gap-2 max-md:gap-1">
        <LiveDot className="text-small text-ink-3 md:hidden" isQuietWhenLive />
        <SearchButton onSearch={onSearch} />
        {useMayCreate() ? <NewLink /> : null}
        <span className="mx-1 h-5 w-px bg-line max-md:hidden" />
        <span className="max-md:hidden">
          <ThemeMenu initial={theme} />
        </span>
        <PersonMenu person={person} theme={theme} />
      </div>
    </header>
  )
}

function NewLink() {
  return (
    <Link href="/new" className={buttonClass({ kind: 'primary', size: 'sm' }, 'max-md:hidden')} aria-keyshortcuts="n">
      <Plus className="size-3.5 shrink-0" aria-hidden />
      New
      <span aria-hidden className="ml-0.5 font-mono text-micro opacity-80">
        N
      </span>
    </Link>
  )
}

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <>
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Meta+K Control+K"
        className="flex h-7 w-64 items-center gap-2 rounded-md border border-line-2 bg-surface px-2.5 text-ink-3 hover:bg-hover max-lg:w-44 max-md:hidden"
      >
        <Search className="size-3.5 shrink-0" aria-hidden />
        <span className="flex-1 truncate text-left text-small">Search or run a command</span>
        <Kbd>
          <CommandKey />K
        </Kbd>
      </button>
      <IconButton icon={Search} label="Search or run a command" onClick={onSearch} className="md:hidden" />
    </>
  )
}
