import { defaultDraft, firstKind, fitSpecOf, shownDrafts } from '@/components/new/draft'
import { NewPage } from '@/components/new/new-page'
import { RECENT } from '@/components/new/queries'
import { KIND_NAMES, type Kind } from '@/domain/kinds'
import { Hydrated, type Queries, requireViewer } from '../../server-api'

export const metadata = { title: 'New workload' }

type Props = { searchParams: Promise<{ kind?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const { kind: wanted } = await searchParams
  const kind = KIND_NAMES.find((k) => k === wanted) ?? null
  await requireViewer(kind ? `/new?kind=${kind}` : '/new')
  return (
    <Hydrated
      ask={({ trpc, client }) => [askForm({ trpc, client }, kind), client.prefetchQuery(trpc.machines.list.queryOptions())]}
    >
      <NewPage key={kind} kind={kind} />
    </Hydrated>
  )
}

/** The form as it will first be shown, and the verdict of each of its rows. */
async function askForm({ trpc, client }: Queries, wanted: Kind | null): Promise<void> {
  const [catalog, recent] = await Promise.all([
    client.fetchQuery(trpc.catalog.get.queryOptions()),
    client.fetchQuery(trpc.workloads.list.queryOptions(RECENT)),
  ])
  const kind = firstKind(catalog, wanted)
  const last = recent.rows.find((w) => w.kind === kind)
  const specs = shownDrafts(defaultDraft(catalog, kind, last), catalog).map(fitSpecOf)
  await Promise.all(specs.map((spec) => client.prefetchQuery(trpc.workloads.fit.queryOptions({ kind, spec }))))
}
