import type { UseQueryResult } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { QueryFailed } from '@/components/api/query-failed'
import { Empty } from '@/components/ui/empty'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, Td, THead, Th, Tr } from '@/components/ui/table'
import { Moment } from '@/components/ui/time'
import type { Role } from '@/domain/kinds'
import { ROLE_WORDS } from './words'

type Member = { userId: string; name: string; email: string; role: Role; createdAt: Date }
type Props = { query: UseQueryResult<Member[], unknown>; personId: string | undefined }

/** Who belongs to this place. */
export function MembersPanel({ query, personId }: Props) {
  const rows = query.data
  return (
    <Panel aria-label="Members">
      <PanelHead title="Members" meta={rows?.length ?? null} />
      {query.isError && !rows ? (
        <QueryFailed error={query.error} what="The members" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : null}
      {query.isPending ? <SkeletonRows rows={2} /> : null}
      {rows?.length === 0 ? <Empty icon={Users} title="Nobody belongs to this place" /> : null}
      {rows && rows.length > 0 ? (
        <>
          <MemberTable rows={rows} personId={personId} />
          <MemberCards rows={rows} personId={personId} />
        </>
      ) : null}
    </Panel>
  )
}

type RowsProps = { rows: readonly Member[]; personId: string | undefined }

function MemberTable({ rows, personId }: RowsProps) {
  return (
    <Table className="max-md:hidden">
      <colgroup>
        <col />
        <col />
        <col className="w-22" />
        <col className="w-32" />
      </colgroup>
      <THead>
        <Th>Person</Th>
        <Th>Email</Th>
        <Th>Role</Th>
        <Th isNumber>Since</Th>
      </THead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.userId}>
            <Td>
              <PersonName row={row} isSelf={row.userId === personId} />
            </Td>
            <Td className="truncate text-ink-2" title={row.email}>
              {row.email}
            </Td>
            <Td>{ROLE_WORDS[row.role]}</Td>
            <Td isNumber className="text-small text-ink-2">
              <Moment at={row.createdAt} shape="date" />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function MemberCards({ rows, personId }: RowsProps) {
  return (
    <ul className="md:hidden">
      {rows.map((row) => (
        <li key={row.userId} className="border-b border-line px-4 py-2.5 last:border-b-0">
          <div className="flex items-center gap-2">
            <PersonName row={row} isSelf={row.userId === personId} />
            <span className="ml-auto text-small">{ROLE_WORDS[row.role]}</span>
          </div>
          <p className="mt-0.5 truncate text-small text-ink-3">{row.email}</p>
        </li>
      ))}
    </ul>
  )
}

function PersonName({ row, isSelf }: { row: Member; isSelf: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span
        aria-hidden
        className="inline-flex size-5 shrink-0 items-center justify-center rounded-full border border-line-2 bg-hover text-micro leading-none font-semibold text-ink-2"
      >
        {row.name.trim().charAt(0).toUpperCase()}
      </span>
      <span className="truncate font-medium" title={row.name}>
        {row.name}
      </span>
      {isSelf ? <span className="text-small text-ink-3">you</span> : null}
    </span>
  )
}
