'use client'
import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { type ReactNode, useCallback, useState } from 'react'
import { useLive } from '@/components/api/live'
import { useMayCreate } from '@/components/api/use-may-create'
import { cn } from '@/components/ui/cn'
import { BottomBar } from './bottom-bar'
import { goToSignIn } from './go-to-sign-in'
import { isFullScreen } from './nav'
import type { Person } from './person-menu'
import { QuarantineBanner } from './quarantine-banner'
import { Rail } from './rail'
import { StaleBanner } from './stale-banner'
import { StorageBanner } from './storage-banner'
import type { Theme } from './theme'
import { TopBar } from './top-bar'
import { useGo } from './use-go'
import { useHotkeys } from './use-hotkeys'

const KeptLinks = dynamic(() => import('./kept-links').then((m) => m.KeptLinks), { ssr: false })
const Palette = dynamic(() => import('./palette').then((m) => m.Palette), { ssr: false })

type Props = { person: Person; tenantName: string; theme: Theme; version: string; children: ReactNode }

/** What is around every page of a signed-in person. Pages scroll inside it. */
export function Frame({ person, tenantName, theme, version, children }: Props) {
  const path = usePathname()
  const go = useGo()
  const [isSearching, setSearching] = useState(false)
  const onSearch = useCallback(() => setSearching(true), [])
  const mayCreate = useMayCreate()
  const onNew = useCallback(() => mayCreate && go('/new'), [go, mayCreate])
  useHotkeys({ onSearch, onNew })
  useLive(goToSignIn)
  const isFull = isFullScreen(path)
  return (
    <div className="flex h-dvh">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-raised px-3 py-1.5 font-medium focus:translate-y-0 focus:shadow-overlay"
      >
        Skip to the page
      </a>
      <Rail version={version} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar person={person} tenantName={tenantName} theme={theme} onSearch={onSearch} />
        <QuarantineBanner isOperator={person.isOperator} />
        <StorageBanner />
        {/* A terminal says itself that its connection is lost. */}
        {isFull ? null : <StaleBanner />}
        <KeptLinks />
        <main
          id="main"
          tabIndex={-1}
          className={cn(
            // Positioned, so that what is hidden but for readers stays within it and never makes the window itself scroll.
            'relative min-h-0 flex-1 outline-none',
            isFull ? 'flex flex-col overflow-hidden' : 'overflow-y-auto px-6 pt-5 pb-6 max-md:px-3 max-md:pt-3',
          )}
        >
          {children}
        </main>
        <BottomBar />
      </div>
      {isSearching ? <Palette onClose={() => setSearching(false)} /> : null}
    </div>
  )
}
