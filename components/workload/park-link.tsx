import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'

/** To the page of one whose room would be enough: there one sees what runs in it before one parks it. */
export function ParkLink({ workloadId, name }: { workloadId: string; name: string }) {
  return (
    <Link href={`/workloads/${workloadId}`} className={buttonClass({ size: 'sm' })} aria-label={`Look at ${name} to park it`}>
      Look at it
    </Link>
  )
}
