import { CatalogPage } from '@/components/catalog/catalog-page'
import { Hydrated, requireViewer } from '../../server-api'

export const metadata = { title: 'Catalog' }

export default async function Page() {
  await requireViewer('/catalog')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
      ]}
    >
      <CatalogPage />
    </Hydrated>
  )
}
