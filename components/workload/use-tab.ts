'use client'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { workloadPath } from '@/components/frame/routes'
import type { WorkloadView } from '@/domain/views'
import { LOG_SOURCES, type LogSource } from './logs/log-source'

/** Every tab, in order. */
export const TABS = ['overview', 'logs', 'timeline', 'sharing', 'settings', 'json'] as const
export type Tab = (typeof TABS)[number]

const PARSERS = { tab: parseAsStringLiteral(TABS).withDefault('overview'), log: parseAsStringLiteral(LOG_SOURCES) }

/** What the page of a workload shows, kept in the URL: the tab, and which log. */
export function useTab() {
  const [{ tab, log }, set] = useQueryStates(PARSERS)
  return {
    tab,
    log,
    show: (value: string) => void set({ tab: TABS.find((known) => known === value) ?? 'overview' }),
    showLog: (source: LogSource) => void set({ log: source }),
  }
}

/** The address of a log of a workload. Pure. */
export function logPath(workload: Pick<WorkloadView, 'id'>, log: LogSource): string {
  return `${workloadPath(workload.id)}?tab=logs&log=${log}`
}
