'use client'
import { ArrowDownToLine, Download, Pause } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Panel } from '@/components/ui/panel'
import { Segmented } from '@/components/ui/segmented'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'
import type { Match } from './data-host'
import { downloadKept } from './download-kept'
import type { LogLine } from './log-lines'
import { LOG_SOURCES, type LogSource, logLabel, logsOf } from './log-source'
import { LogStatusLine } from './log-status'
import { LogView, type LogViewHandle } from './log-view'
import { SearchField } from './search-field'
import { SearchResults } from './search-results'
import { useDataHost } from './use-data-host'
import { useLog } from './use-log'
import { useSearch } from './use-search'

type Props = { workload: WorkloadView; source: LogSource; onSource: (source: LogSource) => void; isTall?: boolean }

/** What its server or its build printed: follows, searches all that is kept, downloads it. */
export function LogsPanel({ workload, source, onSource, isTall = false }: Props) {
  const host = useDataHost(workload.id)
  const log = useLog(workload, source, host)
  const search = useSearch(host, source)
  const [isFollowing, setFollowing] = useState(true)
  const [foundId, setFoundId] = useState<number | null>(null)
  const view = useRef<LogViewHandle>(null)
  const show = (match: Match) => {
    const index = lineAt(log.lines, match.seq)
    if (index === -1) return toast({ text: 'This line is older than what is shown here. The download has it.' })
    setFollowing(false)
    setFoundId(log.lines[index]?.id ?? null)
    view.current?.showLine(index)
  }
  const endSearch = () => {
    search.reset()
    setFoundId(null)
  }
  return (
    <Panel aria-label="Logs">
      <header className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-4 py-1 max-md:py-2">
        <h2 className="mr-auto font-semibold">Logs</h2>
        <SourceChoice workload={workload} source={source} onSource={onSource} />
        <SearchField
          key={source}
          label="Search the log"
          placeholder="Search"
          onSearch={(text) => search.mutate(text)}
          onClear={endSearch}
          className="max-md:order-last max-md:w-full"
          frameClassName="w-40 text-small md:h-7 max-md:w-full"
        />
        <FollowButton isFollowing={isFollowing} onFollow={setFollowing} />
        <DownloadButton host={host} source={source} />
      </header>
      <SearchResults search={search} onShow={show} onClose={endSearch} />
      <Lines log={log} isTall={isTall}>
        <LogView
          key={source}
          lines={log.lines}
          dropped={log.dropped}
          label={`${logLabel(source, workload.kind)} output`}
          isFollowing={isFollowing}
          onFollowing={setFollowing}
          found={{ text: search.data?.text.toLowerCase() ?? '', id: foundId }}
          handle={view}
          className={isTall ? TALL.view : 'h-76'}
        />
      </Lines>
    </Panel>
  )
}

const TALL = { frame: 'min-h-[max(20rem,calc(100dvh-26rem))]', view: 'h-[max(20rem,calc(100dvh-26rem))]' }

/** The lines once there are some, and how it is with them; the room is the same before. */
function Lines({ log, isTall, children }: { log: ReturnType<typeof useLog>; isTall: boolean; children: ReactNode }) {
  const hasLines = log.lines.length > 0
  return (
    <div className={cn('flex flex-col', isTall ? TALL.frame : 'min-h-76')}>
      <LogStatusLine status={log.status} hasLines={hasLines} dropped={log.dropped} onRetry={log.retry} />
      {hasLines ? children : null}
    </div>
  )
}

function DownloadButton({ host, source }: { host: ReturnType<typeof useDataHost>; source: LogSource }) {
  return (
    <IconButton
      icon={Download}
      label="Download what is kept"
      disabled={!host}
      onClick={() => host && void downloadKept(host, source, { source })}
    />
  )
}

function SourceChoice({ workload, source, onSource }: Props) {
  const known = logsOf(workload)
  if (known.length < 2) return null
  const choose = (value: string) => onSource(LOG_SOURCES.find((known) => known === value) ?? 'output')
  const options = known.map((value) => ({ value, label: logLabel(value, workload.kind) }))
  return <Segmented label="Output of" value={source} onChange={choose} options={options} />
}

function FollowButton({ isFollowing, onFollow }: { isFollowing: boolean; onFollow: (isFollowing: boolean) => void }) {
  const Icon = isFollowing ? ArrowDownToLine : Pause
  return (
    <Button size="sm" aria-pressed={isFollowing} onClick={() => onFollow(!isFollowing)}>
      <Icon className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      {isFollowing ? 'Following' : 'Follow'}
    </Button>
  )
}

/** The line that a byte belongs to; -1 when it has left, or is not here yet. */
function lineAt(lines: readonly LogLine[], seq: number): number {
  const first = lines.find((line) => !line.isMark)
  if (!first || seq < first.seq) return -1
  return lines.findLastIndex((line) => !line.isMark && line.seq <= seq)
}
