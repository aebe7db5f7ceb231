'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { member } from '@/components/api/failure'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import { askDataHost, Refused } from '../logs/data-host'
import { useDataHost } from '../logs/use-data-host'
import { type Notebook, readNotebook } from './read-notebook'

export type Saved = { path: string; at: Date; bytes: number }
type SavedList = { notebooks: Saved[]; isComplete: boolean }

const ASK_MS = 60_000
const RETRIES = 2

/** The notebooks that were saved in this workspace, the latest first. */
export function useSavedList(workload: WorkloadView): UseQueryResult<SavedList> {
  return useSaved(workload, { path: null, read: listOf })
}

/** One of them; null data: what was saved cannot be read as a notebook. */
export function useSavedNotebook(workload: WorkloadView, saved: Saved | null): UseQueryResult<Notebook | null> {
  const isShown = saved !== null && saved.bytes <= LIMITS.notebookBytesMax
  return useSaved(workload, { path: saved?.path ?? '', at: saved?.at.getTime(), read: readNotebook, isOff: !isShown })
}

type Asked<T> = { path: string | null; at?: number | undefined; read: (text: string) => T; isOff?: boolean }

function useSaved<T>(workload: WorkloadView, { path, at, read, isOff = false }: Asked<T>): UseQueryResult<T> {
  const host = useDataHost(workload.id)
  return useQuery({
    queryKey: ['outputs', workload.id, workload.state, path, at ?? null],
    enabled: host !== null && !isOff,
    retry: (failures, error) => failures < RETRIES && !(error instanceof Refused),
    queryFn: async ({ signal }) => {
      if (!host) throw new Error('the data host is not known yet')
      const call = { origin: host.origin, ticket: await host.getTicket('notebooks'), signal: until(signal) }
      return read(await (await askDataHost(call, '/outputs', { path })).text())
    },
  })
}

function until(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])
}

function listOf(text: string): SavedList {
  const raw: unknown = JSON.parse(text)
  const notebooks = member(raw, 'notebooks')
  return {
    notebooks: (Array.isArray(notebooks) ? notebooks : []).flatMap(savedOf),
    isComplete: member(raw, 'isComplete') === true,
  }
}

function savedOf(raw: unknown): Saved[] {
  const [path, at, bytes] = [member(raw, 'path'), member(raw, 'at'), member(raw, 'bytes')]
  if (typeof path !== 'string' || typeof at !== 'string' || typeof bytes !== 'number') return []
  return [{ path, at: new Date(at), bytes }]
}
