'use client'
import { X } from 'lucide-react'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import type { WorkloadSettings } from '@/domain/workloads'
import { MinutesField } from './minutes-field'
import { dailyCron, dailyTime } from './stop-times'

type Props = {
  settings: WorkloadSettings
  errors: Readonly<Record<string, string>>
  onChange: (settings: WorkloadSettings) => void
}

/** When a workload parks itself: after being idle, after a time, every day. */
export function StopFields({ settings, errors, onChange }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <MinutesField
        label="Idle stop"
        hint="Nothing ran and nobody typed"
        error={errors.idleMinutes}
        value={settings.idleMinutes}
        never="Never"
        onChange={(idleMinutes) => onChange({ ...settings, idleMinutes })}
      />
      <MinutesField
        label="Time limit"
        hint="Counted from its start"
        error={errors.limitMinutes}
        value={settings.limitMinutes}
        never="None"
        onChange={(limitMinutes) => onChange({ ...settings, limitMinutes })}
      />
      <DailyField settings={settings} errors={errors} onChange={onChange} />
    </div>
  )
}

/** A time of day in the zone of this browser; a schedule that is not daily is shown as it is. */
function DailyField({ settings, errors, onChange }: Props) {
  const { parkAt } = settings
  const time = parkAt && dailyTime(parkAt.cron)
  const setTime = (text: string) => {
    const cron = dailyCron(text)
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    onChange({ ...settings, parkAt: cron === null ? null : { cron, timeZone } })
  }
  const clear = parkAt ? (
    <IconButton icon={X} label="Do not park it every day" size="xs" onClick={() => onChange({ ...settings, parkAt: null })} />
  ) : null
  const error = errors.parkAt ?? errors['parkAt.cron'] ?? errors['parkAt.timeZone']
  return (
    <Field label="Park every day at" hint={parkAt ? parkAt.timeZone : 'Such as 18:30; empty: never'} error={error}>
      {(control) =>
        parkAt && time === null ? (
          <Input {...control} isMono value={parkAt.cron} readOnly trailing={clear} />
        ) : (
          <Input {...control} type="time" value={time ?? ''} onChange={(e) => setTime(e.target.value)} trailing={clear} />
        )
      }
    </Field>
  )
}
