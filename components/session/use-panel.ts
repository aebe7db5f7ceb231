'use client'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { PANEL_TABS, type PanelTab } from './panel-tabs'

export type PanelState = ReturnType<typeof usePanel>

/** Whether the panel of a session is open and what it shows: at first what the address asks for. It outlives a run. */
export function usePanel() {
  const wanted = useSearchParams().get('panel')
  const asked = PANEL_TABS.find((tab) => tab === wanted) ?? null
  const [isOpen, setOpen] = useState(asked !== null)
  const [tab, setTab] = useState<PanelTab>(asked ?? 'info')
  const show = (next: PanelTab) => {
    setTab(next)
    setOpen(true)
  }
  return { isOpen, tab, setTab, show, close: () => setOpen(false), toggle: () => setOpen(!isOpen) }
}
