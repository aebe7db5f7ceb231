'use client'
import { UserRoundPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { SHARE_LEVELS, type ShareLevel } from '@/domain/permissions'
import type { WorkloadView } from '@/domain/views'
import { candidates, EVERYONE, LEVEL_WORDS } from './share-words'
import type { useShares } from './use-shares'

/** One more person, or everyone, and what they may do. */
export function AddShare({ workload, shares }: { workload: WorkloadView; shares: ReturnType<typeof useShares> }) {
  const [chosen, setChosen] = useState('')
  const [level, setLevel] = useState<ShareLevel>('view')
  const options = candidates(shares.members, shares.list.data ?? [], workload.ownerId)
  if (options.length === 0) return <p className="px-4 py-3 text-ink-3">Everyone here has it already.</p>
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === '') return
    const userId = chosen === EVERYONE ? null : chosen
    shares.set.mutate({ workloadId: workload.id, userId, level }, { onSuccess: () => setChosen('') })
  }
  return (
    <form method="dialog" onSubmit={add} className="flex flex-wrap items-center gap-2 px-4 py-3">
      <Select
        aria-label="Share with"
        value={chosen}
        onChange={setChosen}
        options={[{ value: '', label: 'Share with …' }, ...options]}
        className="min-w-48 flex-1"
      />
      <Segmented
        label="What they may do"
        value={level}
        onChange={(value) => setLevel(SHARE_LEVELS.find((known) => known === value) ?? 'view')}
        options={SHARE_LEVELS.map((value) => ({ value, label: LEVEL_WORDS[value].label }))}
        className="h-8"
      />
      <Button type="submit" kind="primary" disabled={chosen === ''} isBusy={shares.set.isPending}>
        {shares.set.isPending ? null : <UserRoundPlus className="size-3.5 shrink-0" aria-hidden />}
        Share
      </Button>
    </form>
  )
}
