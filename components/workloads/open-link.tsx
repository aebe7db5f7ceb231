import type { ReactNode } from 'react'
import { openTarget } from '@/components/frame/routes'
import { Link } from '@/components/ui/link'
import type { WorkloadView } from '@/domain/views'

type Props = { workload: Pick<WorkloadView, 'id' | 'kind' | 'label' | 'name'>; className: string; children: ReactNode }

/** A session opens its terminal in this tab, anything else its own address in a new one. */
export function OpenLink({ workload, className, children }: Props) {
  const { href, isNewTab } = openTarget(workload)
  const look = { className, 'aria-label': `Open ${workload.name}` }
  if (!isNewTab) {
    return (
      <Link href={href} {...look}>
        {children}
      </Link>
    )
  }
  return (
    <a href={href} target="_blank" rel="noopener" {...look}>
      {children}
    </a>
  )
}
