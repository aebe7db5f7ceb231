import { homedir } from 'node:os'
import { type Draft, defaultDraft, draftOf, firstKind, fitSpecOf, shownDrafts } from '@/components/new/draft'
import { readLink } from '@/components/new/link'
import { NewPage } from '@/components/new/new-page'
import { RECENT } from '@/components/new/queries'
import type { Kind } from '@/domain/kinds'
import { Hydrated, type Queries, requireViewer, serverCaller } from '../../server-api'

export const metadata = { title: 'New workload' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function Page({ searchParams }: Props) {
  const query = await searchParams
  await requireViewer(pathWith(query))
  const catalog = await (await serverCaller()).catalog.get()
  const { kind, filled: asked, isBroken } = readLink(query, catalog)
  const filled = asked && { ...draftOf(asked), name: asked.name }
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        askForm({ trpc, client }, { kind, filled }),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
      ]}
    >
      {/* A link to another request is another form. */}
      <NewPage key={pathWith(query)} kind={kind} filled={filled} isLinkBroken={isBroken} homeFolder={homedir()} />
    </Hydrated>
  )
}

/** This page with all that its link says: the way back after a sign-in. */
function pathWith(query: Awaited<Props['searchParams']>): string {
  const known = ['kind', 'name', 'spec', 'settings'].flatMap((name) => {
    const value = query[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return known.length === 0 ? '/new' : `/new?${new URLSearchParams(known)}`
}

/** The form as it will first be shown, and the verdict of each of its rows. */
async function askForm({ trpc, client }: Queries, start: { kind: Kind | null; filled: Draft | null }): Promise<void> {
  const [catalog, recent] = await Promise.all([
    client.fetchQuery(trpc.catalog.get.queryOptions()),
    client.fetchQuery(trpc.workloads.list.queryOptions(RECENT)),
  ])
  const kind = firstKind(catalog, start.filled?.kind ?? start.kind)
  const last = recent.rows.find((w) => w.kind === kind)
  const first = start.filled ?? defaultDraft(catalog, kind, last)
  const specs = shownDrafts(first, catalog).map(fitSpecOf)
  await Promise.all(specs.map((spec) => client.prefetchQuery(trpc.workloads.fit.queryOptions({ kind, spec }))))
}
