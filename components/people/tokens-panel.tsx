'use client'
import { useQuery } from '@tanstack/react-query'
import { KeySquare, Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Button } from '@/components/ui/button'
import { tickMs } from '@/components/ui/clock'
import { Empty } from '@/components/ui/empty'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { type Token, TokenRows } from './token-rows'
import { isLiving, sortTokens } from './words'

const NewToken = dynamic(() => import('./new-token-dialog').then((m) => m.NewTokenDialog), { ssr: false })
const RevokeToken = dynamic(() => import('./revoke-token-dialog').then((m) => m.RevokeTokenDialog), { ssr: false })

/** The person's API tokens: for the command line and for programs. */
export function TokensPanel() {
  const query = useQuery(useTRPC().tokens.list.queryOptions())
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const rows = query.data && sortTokens(query.data, tickMs())
  const living = rows?.filter((row) => isLiving(row, tickMs())).length
  return (
    <Panel aria-label="Your API tokens">
      <PanelHead title="Your API tokens" meta={living || null}>
        <Button size="xs" onClick={() => setMaking(true)}>
          <Plus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          New token
        </Button>
      </PanelHead>
      {query.isError && !rows ? (
        <QueryFailed
          error={query.error}
          what="Your API tokens"
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : null}
      {query.isPending ? <SkeletonRows rows={2} /> : null}
      {rows?.length === 0 ? (
        <Empty icon={KeySquare} title="No token yet" className="py-6">
          One lets the berth command or a program of yours act as you, within what you allow it.
        </Empty>
      ) : null}
      {rows && rows.length > 0 ? <TokenRows rows={rows} onRevoke={setRevoking} /> : null}
      {isMaking ? <NewToken onClose={() => setMaking(false)} /> : null}
      {revoking ? <RevokeToken token={revoking} onClose={() => setRevoking(null)} /> : null}
    </Panel>
  )
}
