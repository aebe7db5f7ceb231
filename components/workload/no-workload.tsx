import { Ghost } from 'lucide-react'
import Link from 'next/link'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Panel } from '@/components/ui/panel'

/** There is no such workload, or none that this person may know of. */
export function NoWorkload() {
  return (
    <Panel>
      <Empty
        isPage
        icon={Ghost}
        title="No such workload"
        action={
          <Link href="/workloads" className={buttonClass({ size: 'sm' })}>
            All workloads
          </Link>
        }
      >
        It may have been removed long ago, or it is not shared with you.
      </Empty>
    </Panel>
  )
}
