'use client'
import { X } from 'lucide-react'
import type { SessionLine } from '@/components/terminal/session-line'
import { IconButton } from '@/components/ui/icon-button'
import { TabPanel, Tabs } from '@/components/ui/tabs'
import type { WorkloadView } from '@/domain/views'
import { InfoPart } from './info-part'
import { NetworkPart } from './network-part'
import { PANEL_TABS, type PanelTab } from './panel-tabs'
import { RecordPart } from './record-part'
import type { PanelState } from './use-panel'

type Props = { workload: WorkloadView; line: SessionLine; me: string; panel: PanelState }

const LABEL: Record<PanelTab, string> = { info: 'Info', network: 'Network', record: 'Record' }

/** Beside the terminal, or over it on a phone: facts and people, the network, the record. */
export function SessionPanel({ workload, line, me, panel: { tab, setTab, close } }: Props) {
  const tabs = PANEL_TABS.filter((one) => one !== 'record' || workload.may.includes('workload.watch'))
  return (
    <aside
      aria-label="About this session"
      className="relative flex w-96 shrink-0 flex-col overflow-y-auto border-l border-line bg-surface max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-auto max-md:border-0"
    >
      <IconButton icon={X} label="Close the panel" size="xs" onClick={close} className="absolute top-1.5 right-3 z-10" />
      <Tabs
        label="About this session"
        value={tab}
        onChange={(value) => setTab(PANEL_TABS.find((known) => known === value) ?? 'info')}
        tabs={tabs.map((value) => ({ value, label: LABEL[value] }))}
        className="[&>[role=tablist]]:px-4"
      >
        <TabPanel value="info">
          <InfoPart workload={workload} line={line} me={me} />
        </TabPanel>
        <TabPanel value="network">
          <NetworkPart workload={workload} />
        </TabPanel>
        <TabPanel value="record">
          <RecordPart workload={workload} />
        </TabPanel>
      </Tabs>
    </aside>
  )
}
