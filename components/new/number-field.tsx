'use client'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type Props = { label: string; unit: string; value: number; onChange: (value: number) => void; error?: string | undefined }

/** A number with its unit. What is being typed stays as typed, even while it is no number yet. */
export function NumberField({ label, unit, value, onChange, error }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const isNumber = typed === null || (typed.trim() !== '' && Number.isFinite(Number(typed)))
  const shown = typed !== null && (!isNumber || Number(typed) === value) ? typed : String(Math.round(value * 1000) / 1000)
  return (
    <Field label={label} error={isNumber ? error : 'a number'}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={shown}
          onChange={(e) => {
            const text = e.target.value
            setTyped(text)
            if (text.trim() !== '' && Number.isFinite(Number(text))) onChange(Number(text))
          }}
          trailing={<span className="text-small text-ink-3">{unit}</span>}
        />
      )}
    </Field>
  )
}
