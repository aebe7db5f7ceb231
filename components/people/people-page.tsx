'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { PageHead, Stack } from '@/components/ui/page'
import { AccountPanel } from './account-panel'
import { MembersPanel } from './members-panel'
import { SignInsPanel } from './sign-ins-panel'
import { TokensPanel } from './tokens-panel'
import { membersText } from './words'

/** People & access: left what belongs to the place, right what belongs to the person alone. */
export function PeoplePage() {
  const trpc = useTRPC()
  const me = useQuery(trpc.me.get.queryOptions())
  const members = useQuery(trpc.members.list.queryOptions())
  return (
    <>
      <PageHead title="People & access">
        {me.data && members.data ? membersText(members.data.length, me.data.tenant.name) : ' '}
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <Stack>
          <MembersPanel query={members} personId={me.data?.id} />
          <AccountPanel query={me} />
        </Stack>
        <Stack>
          <TokensPanel />
          <SignInsPanel />
        </Stack>
      </div>
    </>
  )
}
