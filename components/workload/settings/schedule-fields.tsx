'use client'
import { CalendarClock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { WorkloadSettings } from '@/domain/workloads'
import { scheduleWords } from './schedule-words'

type ParkAt = WorkloadSettings['parkAt']
type Props = { parkAt: ParkAt; errors: Readonly<Record<string, string>>; onChange: (parkAt: ParkAt) => void }

/** A cron line and its time zone, with what the line means in plain words and when it is next. */
export function ScheduleFields({ parkAt, errors, onChange }: Props) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const timeZone = parkAt?.timeZone ?? own
  const zones = [...new Set([timeZone, own, 'UTC'])]
  const setCron = (cron: string) => onChange(cron.trim() === '' ? null : { cron, timeZone })
  return (
    <>
      <Field
        label="On a schedule"
        hint={parkAt ? <Preview parkAt={parkAt} /> : 'Such as 0 18 * * 1-5, Monday to Friday at 18:00; empty: never'}
        error={errors['parkAt.cron'] ?? errors.parkAt}
      >
        {(control) => (
          <Input
            {...control}
            isMono
            placeholder="minute hour day month weekday"
            value={parkAt?.cron ?? ''}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            onChange={(event) => setCron(event.target.value)}
          />
        )}
      </Field>
      <Field label="In the time zone" error={errors['parkAt.timeZone']}>
        {(control) => (
          <Select
            {...control}
            value={timeZone}
            isDisabled={parkAt === null}
            onChange={(zone) => parkAt && onChange({ ...parkAt, timeZone: zone })}
            options={zones.map((zone) => ({ value: zone, label: zone === own ? `${zone} (yours)` : zone }))}
          />
        )}
      </Field>
    </>
  )
}

function Preview({ parkAt }: { parkAt: NonNullable<ParkAt> }) {
  const words = scheduleWords(parkAt.cron)
  const next = useNextRun(words === null ? null : parkAt)
  if (words === null) return <>Five fields: minute, hour, day of the month, month, weekday</>
  return (
    <span className="flex items-start gap-1.5 text-ink-2">
      <CalendarClock className="mt-px size-3.5 shrink-0" aria-hidden />
      <span>
        {words}
        {next ? `; next ${next}` : ''}
      </span>
    </span>
  )
}

/** When a schedule is next, in the time of its zone. The code that reads schedules is fetched with the first one. */
function useNextRun(parkAt: ParkAt): string | null {
  const [next, setNext] = useState<string | null>(null)
  const { cron, timeZone } = parkAt ?? {}
  useEffect(() => {
    let isGone = false
    setNext(null)
    if (cron && timeZone) void nextRun(cron, timeZone).then((text) => isGone || setNext(text))
    return () => {
      isGone = true
    }
  }, [cron, timeZone])
  return next
}

async function nextRun(cron: string, timeZone: string): Promise<string | null> {
  try {
    const { Cron } = await import('croner')
    const at = new Cron(cron, { paused: true, timezone: timeZone }).nextRun()
    return at && new Intl.DateTimeFormat('en-GB', { timeZone, ...SHAPE }).format(at)
  } catch {
    return null // a line that is still being typed has no next time; saving it says what is wrong
  }
}

const SHAPE = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
