'use client'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { Fragment, useSyncExternalStore } from 'react'
import { useTRPC } from '@/components/api/client'
import { Link } from '@/components/ui/link'
import { workloadPath } from './routes'

type Crumb = { label: string; href?: string; isMono?: boolean }

const PAGES: Record<string, Crumb[]> = {
  '/': [{ label: 'Home' }],
  '/new': [
    { label: 'Workloads', href: '/workloads' },
    { label: 'new', isMono: true },
  ],
  '/workloads': [{ label: 'Workloads' }],
  '/machines': [{ label: 'Machines' }],
  '/catalog': [{ label: 'Catalog' }],
  '/people': [{ label: 'People & access' }],
}

/** Where this page is. The last crumb is the page itself. */
export function Crumbs() {
  const path = usePathname()
  const id = /^\/workloads\/([^/]+)/.exec(path)?.[1]
  const name = useKnownName(id)
  const crumbs = PAGES[path] ?? (id ? workloadCrumbs(path, id, name) : [])
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 max-md:hidden">
      <ol className="flex min-w-0 items-center gap-2">
        {crumbs.map((crumb, i) => (
          <Fragment key={crumb.label}>
            <li aria-hidden className="text-line-2">
              /
            </li>
            <li
              className={crumb.isMono ? 'truncate font-mono text-small' : 'truncate'}
              aria-current={i === crumbs.length - 1 ? 'page' : undefined}
            >
              {crumb.href ? (
                <Link href={crumb.href} className="rounded-sm text-ink-2 hover:text-ink">
                  {crumb.label}
                </Link>
              ) : (
                crumb.label
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

function workloadCrumbs(path: string, id: string, name: string | undefined): Crumb[] {
  const isDeeper = path !== workloadPath(id)
  const own: Crumb = { label: name ?? id.slice(-8), isMono: true }
  return [{ label: 'Workloads', href: '/workloads' }, isDeeper ? { ...own, href: workloadPath(id) } : own]
}

/** The name that the page has loaded already. It only reads the cache: a query of its own would be there before the page's data. */
function useKnownName(id: string | undefined): string | undefined {
  const trpc = useTRPC()
  const client = useQueryClient()
  const read = () => (id === undefined ? undefined : client.getQueryData(trpc.workloads.get.queryKey({ id }))?.name)
  return useSyncExternalStore((onChange) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)), read, read)
}
