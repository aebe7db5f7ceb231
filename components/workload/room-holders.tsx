'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { Button } from '@/components/ui/button'
import { bytesText } from '@/components/ui/bytes'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import { waitsForRoom } from '@/domain/reasons-of-waiting'
import type { WorkloadView } from '@/domain/views'

const UP = { mine: true, states: ['provisioning', 'running', 'paused', 'parking'] } as const

/** What of the person's own holds the room that this one waits for: to park it is what they can do. */
export function RoomHolders({ reason, className }: Pick<WorkloadView, 'reason'> & { className: string }) {
  const actions = useWorkloadActions()
  const isForRoom = reason !== null && waitsForRoom(reason)
  const { data } = useQuery({
    ...useTRPC().workloads.list.queryOptions({ ...UP, states: [...UP.states] }),
    enabled: isForRoom,
  })
  if (!isForRoom || !data || data.rows.length === 0) return null
  return (
    <div className={cn('px-4 py-3', className)}>
      <p className="text-small text-ink-3">Yours that hold room; to park one keeps its files:</p>
      <ul className="mt-1 flex flex-col gap-1">
        {data.rows.map((row) => (
          <li key={row.id} className="flex min-h-7 items-center gap-3">
            <Link href={`/workloads/${row.id}`} className="link min-w-0 truncate">
              {row.name}
            </Link>
            <span className="num ml-auto shrink-0 text-small text-ink-3">
              {row.spec.gpu ? `${row.spec.gpu.count} GPU, ` : ''}
              {row.spec.cpus} CPU, {bytesText(row.spec.memoryBytes)}
            </span>
            {availability('park', row).can ? (
              <Button size="xs" isBusy={actions.isBusy} onClick={() => void actions.park([row])} aria-label={`Park ${row.name}`}>
                Park
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
