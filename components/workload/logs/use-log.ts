'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { type LogSource, mayHaveBegun } from './log-source'
import { type LogPicture, LogStore, NO_LOG } from './log-store'
import type { DataHost } from './use-data-host'

const COMING: readonly State[] = ['queued', 'provisioning']
const never = () => () => {}
/** Nothing was printed, and what will be appears by itself. */
const NOT_BEGUN: LogPicture = { ...NO_LOG, status: { is: 'open' } }

/** A log of a workload, live while it is on the page. Each start of the workload is a log of its own. */
export function useLog(workload: WorkloadView, source: LogSource, host: DataHost | null): LogPicture & { retry: () => void } {
  const [store, setStore] = useState<LogStore | null>(null)
  const [tries, setTries] = useState(0)
  const hasBegun = mayHaveBegun(workload, source)
  const isComing = COMING.includes(workload.state)
  const run = `${workload.id} ${workload.workloadGen} ${tries}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run, or another try, is another log
  useEffect(() => {
    if (!host || !hasBegun) return setStore(null)
    const { origin, getTicket } = host
    const opened = new LogStore({ origin, source, isFollowed: true, isComing, getTicket: () => getTicket(source) })
    setStore(opened)
    return () => opened.close()
  }, [host, source, hasBegun, isComing, run])
  const picture = useSyncExternalStore(
    store?.subscribe ?? never,
    () => store?.get() ?? NO_LOG,
    () => NO_LOG,
  )
  return { ...(hasBegun ? picture : NOT_BEGUN), retry: () => setTries(tries + 1) }
}
