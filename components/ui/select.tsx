import { ChevronsUpDown, type LucideIcon } from 'lucide-react'
import { cn } from './cn'
import type { FieldControl } from './field'
import { CONTROL } from './input'

type Option = { value: string; label: string; icon?: LucideIcon; isDisabled?: boolean }

type Props = Partial<FieldControl> & {
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  'aria-label'?: string
  size?: 'md' | 'sm'
  className?: string
  isDisabled?: boolean
}

/** One choice of a few: the browser's own list, which every keyboard, phone and reader knows. */
export function Select({ value, onChange, options, size = 'md', className, isDisabled, ...control }: Props) {
  const Icon = options.find((o) => o.value === value)?.icon
  return (
    <span className={cn(CONTROL, 'relative hover:bg-hover', size === 'sm' && 'h-7 text-small', className)}>
      {Icon ? <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden /> : null}
      <select
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        disabled={isDisabled}
        className="-my-px h-full min-w-0 flex-1 appearance-none truncate bg-transparent pr-6 outline-none max-md:text-[16px]"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled} className="bg-raised text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown className="pointer-events-none absolute right-2.5 size-3.5 text-ink-3" aria-hidden />
    </span>
  )
}
