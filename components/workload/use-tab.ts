'use client'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { LOG_SOURCES, type LogSource } from './logs/log-source'

/** Every tab, in order. */
export const TABS = ['overview', 'outputs', 'logs', 'timeline', 'sharing', 'settings', 'json'] as const
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
