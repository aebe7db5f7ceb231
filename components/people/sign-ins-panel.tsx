'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, LogOut, Monitor, Smartphone } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { QueryFailed } from '@/components/api/query-failed'
import { Button } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Age, Moment } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import { deviceShape } from './words'

const Everywhere = dynamic(() => import('./sign-out-dialog').then((m) => m.SignOutDialog), { ssr: false })

const SHAPE_ICON = { phone: Smartphone, laptop: Laptop, screen: Monitor } as const

type SignIn = { id: string; device: string; address: string; createdAt: Date; lastUsedAt: Date; isCurrent: boolean }

/** Where the person is signed in: device, address, last use, and a way to end each. */
export function SignInsPanel() {
  const query = useQuery(useTRPC().signIns.list.queryOptions())
  const [isLeaving, setLeaving] = useState(false)
  const rows = query.data
  return (
    <Panel aria-label="Your sign-ins">
      <PanelHead title="Your sign-ins" meta={rows?.length ?? null}>
        <Button size="xs" onClick={() => setLeaving(true)} disabled={!rows}>
          Sign out everywhere
        </Button>
      </PanelHead>
      {query.isError && !rows ? (
        <QueryFailed
          error={query.error}
          what="Your sign-ins"
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : null}
      {query.isPending ? <SkeletonRows rows={2} /> : null}
      {rows?.length === 0 ? <Empty icon={LogOut} title="No active sign-in" className="py-6" /> : null}
      <ul>
        {rows?.map((row) => (
          <SignInRow key={row.id} row={row} />
        ))}
      </ul>
      {isLeaving && rows ? (
        <Everywhere others={rows.filter((row) => !row.isCurrent).length} onClose={() => setLeaving(false)} />
      ) : null}
    </Panel>
  )
}

function SignInRow({ row }: { row: SignIn }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const revoke = useMutation(
    trpc.signIns.revoke.mutationOptions({
      onSuccess: () => toast({ text: `Signed out ${row.device}`, icon: LogOut }),
      onError: (error) => toast({ text: `${row.device} was not signed out. ${failureOf(error).text}`, tone: 'bad' }),
      onSettled: () => queryClient.invalidateQueries(trpc.signIns.list.queryFilter()),
    }),
  )
  const Icon = SHAPE_ICON[deviceShape(row.device)]
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1 last:border-b-0">
      <Icon className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{row.device}</p>
        <p className="truncate text-small text-ink-3">
          {row.address} · {row.isCurrent ? 'this one' : 'since '}
          {row.isCurrent ? null : <Moment at={row.createdAt} shape="date" />}
        </p>
      </div>
      <span className="text-small whitespace-nowrap text-ink-2 tabular-nums">
        {row.isCurrent ? 'now' : <Age at={row.lastUsedAt} suffix=" ago" />}
      </span>
      <span className="flex w-16 justify-end max-md:w-20">
        {row.isCurrent ? (
          <span className="text-small text-ink-3">current</span>
        ) : (
          <Button
            size="xs"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate({ id: row.id })}
            aria-label={`Revoke ${row.device}, ${row.address}`}
          >
            Revoke
          </Button>
        )}
      </span>
    </li>
  )
}
