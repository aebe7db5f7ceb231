'use client'
import { CircleAlert, UserRound, UsersRound, X } from 'lucide-react'
import { QueryFailed } from '@/components/api/query-failed'
import { IconButton } from '@/components/ui/icon-button'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import { Select } from '@/components/ui/select'
import { SkeletonRows } from '@/components/ui/skeleton'
import { SHARE_LEVELS, type ShareLevel } from '@/domain/permissions'
import type { WorkloadView } from '@/domain/views'
import { AddShare } from './add-share'
import { isHeldBack, LEVEL_WORDS, LOOKS } from './share-words'
import { useShares } from './use-shares'

/** Who besides its owner may see, use or manage a workload. */
export function SharingPanel({ workload }: { workload: WorkloadView }) {
  const shares = useShares(workload.id)
  const { list } = shares
  const count = list.data?.length ?? 0
  return (
    <Panel aria-label="Sharing">
      <PanelHead title="Sharing" meta={count === 0 ? 'private' : `shared with ${count}`} />
      {list.isPending ? <SkeletonRows rows={2} /> : null}
      {list.error && !list.data ? (
        <QueryFailed error={list.error} what="Its sharing" onRetry={() => void list.refetch()} isRetrying={list.isFetching} />
      ) : null}
      <ul>
        {(list.data ?? []).map((share) => (
          <ShareLine key={share.userId ?? 'everyone'} workloadId={workload.id} share={share} shares={shares} />
        ))}
      </ul>
      {list.data ? <AddShare workload={workload} shares={shares} /> : null}
      <FactList className="border-t border-line bg-sunken py-1 text-small">
        {SHARE_LEVELS.map((level) => (
          <Fact key={level} label={LEVEL_WORDS[level].label}>
            {LEVEL_WORDS[level].means ?? LOOKS[workload.kind]}
          </Fact>
        ))}
      </FactList>
      <p className="border-t border-line px-4 py-2 text-small text-ink-3">
        Only its owner shares it. Whoever opens it works with the owner's files and logins. Taking a share back ends what it
        opened within seconds.
      </p>
    </Panel>
  )
}

type Shares = ReturnType<typeof useShares>
type Share = NonNullable<Shares['list']['data']>[number]

function ShareLine({ workloadId, share, shares }: { workloadId: string; share: Share; shares: Shares }) {
  const { userId, name, email, level } = share
  const Icon = userId === null ? UsersRound : UserRound
  const role = shares.members.find((member) => member.userId === userId)?.role
  const change = (value: string) => {
    const next = SHARE_LEVELS.find((known) => known === value)
    if (next) shares.set.mutate({ workloadId, userId, level: next })
  }
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1.5">
      <Icon className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-small text-ink-3">{email ?? 'also who joins later'}</p>
        <HeldBack level={level} role={role} />
      </div>
      <Select
        size="sm"
        aria-label={`What ${name} may do`}
        value={level}
        onChange={change}
        options={SHARE_LEVELS.map((value) => ({ value, label: LEVEL_WORDS[value].label }))}
        isDisabled={shares.set.isPending}
        className="w-28"
      />
      <IconButton
        icon={X}
        label={`Take it back from ${name}`}
        disabled={shares.remove.isPending}
        onClick={() => shares.remove.mutate({ workloadId, userId })}
      />
    </li>
  )
}

function HeldBack({ level, role }: { level: ShareLevel; role: string | undefined }) {
  if (!isHeldBack(level, role)) return null
  return (
    <p className="flex items-center gap-1.5 text-small text-warn">
      <CircleAlert className="size-3.5 shrink-0" aria-hidden />A viewer here: may only look.
    </p>
  )
}
