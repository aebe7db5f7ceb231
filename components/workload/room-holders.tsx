'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { bytesText } from '@/components/ui/bytes'
import { Link } from '@/components/ui/link'
import { waitsForRoom } from '@/domain/reasons-of-waiting'
import type { WorkloadView } from '@/domain/views'

const UP = { mine: true, states: ['provisioning', 'running', 'paused', 'parking'] } as const

/** What of the person's own holds the room that this one waits for: to park it is what they can do. */
export function RoomHolders({ reason }: Pick<WorkloadView, 'reason'>) {
  const isForRoom = reason !== null && waitsForRoom(reason)
  const { data } = useQuery({
    ...useTRPC().workloads.list.queryOptions({ ...UP, states: [...UP.states] }),
    enabled: isForRoom,
  })
  if (!isForRoom || !data || data.rows.length === 0) return null
  return (
    <div className="border-t border-line px-4 py-3">
      <p className="text-small text-ink-3">Yours that hold room; to park one keeps its files:</p>
      <ul className="mt-1 flex flex-col gap-1">
        {data.rows.map(({ id, name, spec }) => (
          <li key={id} className="flex items-baseline justify-between gap-3">
            <Link href={`/workloads/${id}`} className="link min-w-0 truncate">
              {name}
            </Link>
            <span className="num shrink-0 text-small text-ink-3">
              {spec.gpu ? `${spec.gpu.count} GPU, ` : ''}
              {spec.cpus} CPU, {bytesText(spec.memoryBytes)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
