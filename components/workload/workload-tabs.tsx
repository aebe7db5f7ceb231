'use client'
import dynamic from 'next/dynamic'
import { Columns } from '@/components/ui/page'
import { PanelPending } from '@/components/ui/panel-pending'
import { SkeletonRows } from '@/components/ui/skeleton'
import { TabPanel, Tabs } from '@/components/ui/tabs'
import { isTerminal } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { firstLog, logsOf } from './logs/log-source'
import { TABS, type Tab, useTab } from './use-tab'

// Each tab is fetched with its first look; the server draws the one that is asked for. Waiting for one never hides the page.
const Overview = dynamic(() => import('./overview').then((m) => m.Overview), { loading: () => <SkeletonRows rows={4} /> })
const TimelinePanel = dynamic(() => import('./timeline').then((m) => m.TimelinePanel), {
  loading: () => <SkeletonRows rows={4} />,
})
const JsonPanel = dynamic(() => import('./json-panel').then((m) => m.JsonPanel), { loading: () => <SkeletonRows rows={4} /> })
const SharingPanel = dynamic(() => import('./sharing/sharing-panel').then((m) => m.SharingPanel), {
  ssr: false,
  loading: () => <PanelPending title="Sharing" />,
})
const SettingsTab = dynamic(() => import('./settings/settings-tab').then((m) => m.SettingsTab), {
  ssr: false,
  loading: () => (
    <Columns side="none">
      <PanelPending title="Parks by itself" rows={4} />
    </Columns>
  ),
})
const OutputsPanel = dynamic(() => import('./outputs/outputs-panel').then((m) => m.OutputsPanel), {
  ssr: false,
  loading: () => <PanelPending title="Outputs" />,
})
const LogsPanel = dynamic(() => import('./logs/logs-panel').then((m) => m.LogsPanel), {
  ssr: false,
  loading: () => <PanelPending title="Logs" className="min-h-90" />,
})

const TAB_LABEL: Record<Tab, string> = {
  overview: 'Overview',
  outputs: 'Outputs',
  logs: 'Logs',
  timeline: 'Timeline',
  sharing: 'Sharing',
  settings: 'Settings',
  json: 'JSON',
}

type Props = { workload: WorkloadView; runtimeTitle: string; onRename: () => void }

/** Everything about one workload below its facts, one tab at a time. */
export function WorkloadTabs({ workload, runtimeTitle, onRename }: Props) {
  const { tab, log, show, showLog } = useTab()
  const tabs = tabsOf(workload)
  return (
    <Tabs
      label="About this workload"
      value={tabs.includes(tab) ? tab : 'overview'}
      onChange={show}
      tabs={tabs.map((value) => ({ value, label: TAB_LABEL[value] }))}
    >
      <TabPanel value="overview" className="pt-4">
        <Overview workload={workload} />
      </TabPanel>
      <TabPanel value="outputs" className="pt-4">
        <OutputsPanel workload={workload} />
      </TabPanel>
      <TabPanel value="logs" className="pt-4">
        <LogsPanel
          workload={workload}
          source={logsOf(workload).find((known) => known === log) ?? firstLog(workload)}
          onSource={showLog}
          isTall
        />
      </TabPanel>
      <TabPanel value="timeline" className="pt-4">
        <TimelinePanel workloadId={workload.id} first={100} />
      </TabPanel>
      <TabPanel value="sharing" className="pt-4">
        <Columns side="none">
          <SharingPanel workload={workload} />
        </Columns>
      </TabPanel>
      <TabPanel value="settings" className="pt-4">
        <SettingsTab workload={workload} runtimeTitle={runtimeTitle} onRename={onRename} />
      </TabPanel>
      <TabPanel value="json" className="pt-4">
        <JsonPanel workload={workload} />
      </TabPanel>
    </Tabs>
  )
}

/** Only what there is to see for this kind and person. */
function tabsOf(workload: WorkloadView): Tab[] {
  const { may, state, workloadGen, kind } = workload
  const isGone = isTerminal(state) || state === 'removing'
  const hidden: Partial<Record<Tab, boolean>> = {
    outputs: kind !== 'notebook' || workloadGen === 0 || isGone || !may.includes('workload.watch'),
    logs: workloadGen === 0 || logsOf(workload).length === 0 || !may.includes('workload.watch'),
    sharing: !may.includes('workload.share') || isTerminal(state),
  }
  return TABS.filter((tab) => !hidden[tab])
}
