import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { Suspense } from 'react'
import { WorkloadsPage } from '@/components/workloads/workloads-page'
import { requireViewer } from '../../server-api'

export const metadata = { title: 'Workloads' }

export default async function Page() {
  await requireViewer('/workloads')
  return (
    <NuqsAdapter>
      <Suspense>
        <WorkloadsPage />
      </Suspense>
    </NuqsAdapter>
  )
}
