'use client'
import { Check, ChevronsUpDown, type LucideIcon } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cn } from './cn'
import type { FieldControl } from './field'

export type Option = { value: string; label: string; detail?: string; icon?: LucideIcon; isDisabled?: boolean }

type Props = Partial<FieldControl> & {
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  placeholder?: string
  'aria-label'?: string
  size?: 'md' | 'sm'
  className?: string
  isDisabled?: boolean
}

/** One choice of a few. Values are never empty strings. */
export function Select({ value, onChange, options, placeholder, size = 'md', className, isDisabled, ...control }: Props) {
  const chosen = options.find((o) => o.value === value)
  const Icon = chosen?.icon
  return (
    <Radix.Root value={value} onValueChange={onChange} disabled={isDisabled ?? false}>
      <Radix.Trigger
        {...control}
        className={cn(
          'flex w-full items-center gap-2 rounded-md border border-line-2 bg-surface px-2.5 text-left enabled:hover:bg-hover focus-visible:border-accent focus-visible:-outline-offset-1 disabled:opacity-50 max-md:h-10',
          size === 'md' ? 'h-8' : 'h-7 text-small',
          className,
        )}
      >
        {Icon ? <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden /> : null}
        <span className={cn('min-w-0 flex-1 truncate', !chosen && 'text-ink-3')}>
          <Radix.Value placeholder={placeholder}>{chosen?.label}</Radix.Value>
        </span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-3" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="overlay-in z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-y-auto rounded-md bg-raised p-1 shadow-overlay"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <SelectItem key={option.value} option={option} />
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function SelectItem({ option }: { option: Option }) {
  const Icon = option.icon
  return (
    <Radix.Item
      value={option.value}
      disabled={option.isDisabled ?? false}
      className="flex min-h-7 items-center gap-2.5 rounded-sm px-2 py-1 outline-none data-disabled:opacity-50 data-highlighted:bg-hover max-md:min-h-10"
    >
      {Icon ? <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden /> : null}
      <span className="min-w-0 flex-1">
        <Radix.ItemText>{option.label}</Radix.ItemText>
        {option.detail ? <span className="block text-small text-ink-3">{option.detail}</span> : null}
      </span>
      <Radix.ItemIndicator>
        <Check className="size-3.5 text-accent-ink" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.Item>
  )
}
