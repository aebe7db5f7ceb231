'use client'
import type { UseQueryResult } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { QueryFailed } from '@/components/api/query-failed'
import { THEMES, type Theme } from '@/components/frame/theme'
import { useThemeChoice } from '@/components/frame/theme-menu'
import { Button } from '@/components/ui/button'
import { CopyText } from '@/components/ui/copy-field'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import { Segmented } from '@/components/ui/segmented'
import { SkeletonRows } from '@/components/ui/skeleton'

const PasswordDialog = dynamic(() => import('./password-dialog').then((m) => m.PasswordDialog), { ssr: false })

type Account = { id: string; name: string; email: string; theme: Theme; isOperator: boolean; tenant: { name: string } }

/** The person's own account: what it is called, how it looks, and a new password. */
export function AccountPanel({ query }: { query: UseQueryResult<Account, unknown> }) {
  const { data } = query
  return (
    <Panel aria-label="Your account">
      <PanelHead title="Your account" />
      {query.isError && !data ? (
        <QueryFailed error={query.error} what="Your account" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : null}
      {query.isPending ? <SkeletonRows rows={2} /> : null}
      {data ? <AccountFacts account={data} /> : null}
    </Panel>
  )
}

function AccountFacts({ account }: { account: Account }) {
  const [isChanging, setChanging] = useState(false)
  const { theme, choose } = useThemeChoice(account.theme)
  return (
    <>
      <FactList className="[&>div]:min-h-9 [&>div]:max-md:py-2">
        <Fact label="Name">{account.name}</Fact>
        <Fact label="Email">{account.email}</Fact>
        <Fact label="Place">{account.tenant.name}</Fact>
        {account.isOperator ? <Fact label="Operator">of this whole Berth</Fact> : null}
        <Fact label="Id">
          <CopyText value={account.id} shown={account.id.slice(-12)} label="your id" />
        </Fact>
        <Fact label="Theme">
          <Segmented
            label="Theme"
            value={theme}
            onChange={choose}
            options={THEMES.map(({ value, label }) => ({ value, label: value === 'system' ? 'System' : label }))}
          />
        </Fact>
        <Fact label="Password">
          <Button size="xs" onClick={() => setChanging(true)}>
            Change password
          </Button>
        </Fact>
      </FactList>
      {isChanging ? <PasswordDialog email={account.email} onClose={() => setChanging(false)} /> : null}
    </>
  )
}
