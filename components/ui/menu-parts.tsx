'use client'
import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { cn } from './cn'
import { Kbd } from './kbd'

export type MenuProps = {
  /** One element that takes a ref, such as Button. */
  trigger: ReactElement<TriggerProps>
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  className?: string
}
export type TriggerProps = Pick<
  ComponentProps<'button'>,
  'onClick' | 'onPointerEnter' | 'onFocus' | 'aria-haspopup' | 'aria-expanded'
>

/** The menu itself: it was asked for, so it opens as it appears. */
export function Menu({ trigger, children, align = 'end', side = 'bottom', className }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cn('overlay-in z-50 min-w-44 rounded-md bg-raised p-1 shadow-overlay', className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const ITEM =
  'flex min-h-7 cursor-default items-center gap-2.5 rounded-sm px-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover max-md:min-h-10'

export type MenuItemProps = {
  icon?: LucideIcon
  keys?: string
  isDanger?: boolean
  isDisabled?: boolean
  onSelect?: (event: Event) => void
  /** With `asChild` the child (a link) is the item. */
  asChild?: boolean
  children: ReactNode
}

/** One action of a menu. */
export function MenuItem({ icon: Icon, keys, isDanger, isDisabled, onSelect, asChild, children }: MenuItemProps) {
  const rest = { disabled: isDisabled ?? false, ...(onSelect && { onSelect }) }
  if (asChild) {
    return (
      <Radix.Item asChild {...rest} className={ITEM}>
        {children}
      </Radix.Item>
    )
  }
  return (
    <Radix.Item {...rest} className={cn(ITEM, isDanger && 'text-bad')}>
      {Icon ? <Icon className={cn('size-3.5 shrink-0', !isDanger && 'text-ink-3')} aria-hidden /> : null}
      {children}
      {keys ? (
        <span className="ml-auto pl-4">
          <Kbd>{keys}</Kbd>
        </span>
      ) : null}
    </Radix.Item>
  )
}

export type MenuChoiceProps = {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string; icon?: LucideIcon }[]
}

/** One choice inside a menu; the chosen one carries a check. */
export function MenuChoice({ value, onChange, options }: MenuChoiceProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {options.map(({ value: v, label, icon: Icon }) => (
        <Radix.RadioItem key={v} value={v} className={ITEM}>
          {Icon ? <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden /> : null}
          {label}
          <Radix.ItemIndicator className="ml-auto pl-4">
            <Check className="size-3.5 text-accent-ink" aria-hidden />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export type MenuToggleProps = { isOn: boolean; onToggle: () => void; children: ReactNode }

/** Something that is on or off; the menu stays open for the next one. */
export function MenuToggle({ isOn, onToggle, children }: MenuToggleProps) {
  return (
    <Radix.CheckboxItem checked={isOn} onCheckedChange={onToggle} onSelect={(event) => event.preventDefault()} className={ITEM}>
      <span className="inline-flex size-3.5 shrink-0">
        <Radix.ItemIndicator>
          <Check className="size-3.5 text-accent-ink" aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

/** A micro heading inside a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-micro font-medium text-ink-3">{children}</Radix.Label>
}

/** A hairline between groups of a menu. */
export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
