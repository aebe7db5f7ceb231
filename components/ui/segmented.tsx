'use client'
import { type ReactNode, useId } from 'react'
import { cn } from './cn'
import { takeEarly } from './take-early'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: ReactNode; isDisabled?: boolean }[]
  className?: string
}

/** One of a few, all visible; arrow keys move the choice. */
export function Segmented({ label, value, onChange, options, className }: Props) {
  const name = useId()
  return (
    <fieldset
      className={cn('inline-flex h-7 items-stretch rounded-md border border-line-2 bg-sunken p-0.5 max-md:h-10', className)}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'flex min-w-8 flex-auto items-center justify-center rounded-sm px-2.5 text-small font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent',
            option.value === value ? 'bg-raised text-ink outline outline-line-2' : 'text-ink-2 hover:text-ink',
            option.isDisabled && 'opacity-50',
          )}
        >
          <input
            ref={takeEarly}
            type="radio"
            className="sr-only"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
