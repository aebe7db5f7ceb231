'use client'
import { Button } from '@/components/ui/button'
import { tickMs } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { Table, Td, THead, Th, Tr } from '@/components/ui/table'
import { Age, useTicking } from '@/components/ui/time'
import { TONE_TEXT } from '@/components/ui/tone'
import type { Scope } from '@/domain/tokens'
import { endText, isLiving, scopeText, shownToken } from './words'

export type Token = {
  id: string
  name: string
  lastFour: string
  scopes: readonly Scope[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}
type Props = { rows: readonly Token[]; onRevoke: (token: Token) => void }

/** Tokens as a table; as cards on a phone. */
export function TokenRows(props: Props) {
  return (
    <>
      <TokenTable {...props} />
      <ul className="md:hidden">
        {props.rows.map((row) => (
          <li key={row.id} className="flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{row.name}</p>
              <p className="truncate text-small text-ink-3">
                {shownToken(row.lastFour)} · {scopeText(row.scopes)} · <EndsIn token={row} />
              </p>
            </div>
            <Revoke token={row} onRevoke={props.onRevoke} />
          </li>
        ))}
      </ul>
    </>
  )
}

function TokenTable({ rows, onRevoke }: Props) {
  return (
    <Table className="max-md:hidden">
      <colgroup>
        <col />
        <col className="w-29" />
        <col className="w-24" />
        <col className="w-19" />
        <col className="w-22" />
      </colgroup>
      <THead>
        <Th>Name</Th>
        <Th>May</Th>
        <Th>Last used</Th>
        <Th>Ends</Th>
        <Th>
          <span className="sr-only">Action</span>
        </Th>
      </THead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id} isDouble className={cn(!isLiving(row, tickMs()) && 'text-ink-3')}>
            <Td>
              <p className="truncate font-medium" title={row.name}>
                {row.name}
              </p>
              <p className="truncate font-mono text-small text-ink-3">{shownToken(row.lastFour)}</p>
            </Td>
            <Td className="truncate text-ink-2">{scopeText(row.scopes)}</Td>
            <Td className="text-small text-ink-2 tabular-nums">
              {row.lastUsedAt ? <Age at={row.lastUsedAt} suffix=" ago" /> : 'never'}
            </Td>
            <Td className="text-small tabular-nums">
              <EndsIn token={row} />
            </Td>
            <Td className="text-right">
              <Revoke token={row} onRevoke={onRevoke} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function EndsIn({ token }: { token: Token }) {
  const text = useTicking((nowMs) => endText(token, nowMs).text)
  const { tone } = endText(token, tickMs())
  return (
    <span className={cn(TONE_TEXT[tone], tone === 'warn' && 'font-medium')} suppressHydrationWarning>
      {text}
    </span>
  )
}

function Revoke({ token, onRevoke }: { token: Token; onRevoke: Props['onRevoke'] }) {
  if (!isLiving(token, tickMs())) return null
  return (
    <Button size="xs" kind="ghost" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
      Revoke
    </Button>
  )
}
