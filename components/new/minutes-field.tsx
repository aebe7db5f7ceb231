import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { minuteOptions } from './stop-times'

type Props = {
  label: string
  hint: string
  error: string | undefined
  value: number | null
  /** What no length at all is called. */
  never: string
  onChange: (minutes: number | null) => void
}

/** A length of time out of a few, or none. */
export function MinutesField({ label, hint, error, value, never, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Select
          {...control}
          value={String(value ?? '')}
          onChange={(text) => onChange(text === '' ? null : Number(text))}
          options={minuteOptions(value, never)}
        />
      )}
    </Field>
  )
}
