'use client'
import type { FormEvent } from 'react'
import { MinutesField } from '@/components/new/minutes-field'
import { Panel, PanelHead } from '@/components/ui/panel'
import type { WorkloadView } from '@/domain/views'
import { SaveLine } from './save-line'
import { ScheduleFields } from './schedule-fields'
import { useSettings } from './use-settings'

/** What parks it by itself: idle, a time limit, a schedule. A change counts for the present run too. */
export function SettingsPanel({ workload }: { workload: WorkloadView }) {
  const settings = useSettings(workload)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    settings.save()
  }
  return (
    <Panel aria-label="Parks by itself">
      <PanelHead title="Parks by itself" meta={<span className="max-sm:hidden">its workspace is always kept</span>} />
      <form method="dialog" onSubmit={submit}>
        <StopFields settings={settings} />
        <SaveLine {...settings} when="Counts at once, also for this run" />
      </form>
    </Panel>
  )
}

type Settings = { settings: ReturnType<typeof useSettings> }

function StopFields({ settings: { draft, errors, change, whyNot } }: Settings) {
  return (
    <fieldset disabled={whyNot !== null} className="grid gap-4 p-4 sm:grid-cols-2">
      <legend className="sr-only">What parks it by itself</legend>
      <MinutesField
        label="When idle for"
        hint="No kernel computes, nobody types, nothing is built"
        error={errors.idleMinutes}
        value={draft.idleMinutes}
        never="Never"
        onChange={(idleMinutes) => change({ idleMinutes })}
      />
      <MinutesField
        label="When it has run for"
        hint="Counted from its start, busy or not"
        error={errors.limitMinutes}
        value={draft.limitMinutes}
        never="No limit"
        onChange={(limitMinutes) => change({ limitMinutes })}
      />
      <ScheduleFields parkAt={draft.parkAt} errors={errors} onChange={(parkAt) => change({ parkAt })} />
    </fieldset>
  )
}
