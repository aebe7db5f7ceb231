'use client'
import type { ReactNode } from 'react'
import { Field } from '@/components/ui/field'
import { TextArea } from '@/components/ui/input'

type Props = { label: ReactNode; hint?: ReactNode; value: string; error?: string | undefined; onChange: (value: string) => void }

/** Packages of a notebook, one a line. */
export function PackagesField({ label, hint, value, error, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextArea
          {...control}
          isMono
          className="min-h-8 resize-none max-md:min-h-10"
          rows={Math.min(8, value.split('\n').length)}
          value={value}
          onChange={(e) => onChange(e.target.value)}
          placeholder="none; one a line"
          spellCheck={false}
        />
      )}
    </Field>
  )
}
