'use client'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type Props = { label: string; unit: string; value: number; onChange: (value: number) => void; error?: string | undefined }

/** A number with its unit. What is being typed stays as typed, even while it is no number yet: the form holds NaN then. */
export function NumberField({ label, unit, value, onChange, error }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const isAsTyped = typed !== null && (Number.isNaN(value) || Number(typed) === value)
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={isAsTyped ? typed : String(Math.round(value * 1000) / 1000)}
          onChange={(e) => {
            const text = e.target.value
            setTyped(text)
            onChange(text.trim() === '' ? Number.NaN : Number(text))
          }}
          trailing={<span className="text-small text-ink-3">{unit}</span>}
        />
      )}
    </Field>
  )
}
