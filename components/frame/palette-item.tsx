'use client'
import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Kbd } from '@/components/ui/kbd'

/** The look of a group's heading, which cmdk draws itself. */
export const PALETTE_GROUP =
  '**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-micro **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-ink-3'

type Props = {
  icon: LucideIcon
  onSelect: () => void
  keys?: string
  detail?: string
  isStrong?: boolean
  children: ReactNode
  value?: string
  keywords?: string[]
}

/** One line of the palette. */
export function PaletteItem({ icon: Icon, onSelect, keys, detail, isStrong, value, keywords, children }: Props) {
  return (
    <Command.Item
      {...(value && { value })}
      {...(keywords && { keywords })}
      onSelect={onSelect}
      className="flex h-8.5 items-center gap-3 rounded-sm px-2.5 data-[selected=true]:bg-hover max-md:h-11"
    >
      <Icon className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <span className={isStrong ? 'font-medium whitespace-nowrap' : 'whitespace-nowrap'}>{children}</span>
      {detail ? <span className="truncate text-small text-ink-3">{detail}</span> : null}
      {keys ? (
        <span className="ml-auto">
          <Kbd>{keys}</Kbd>
        </span>
      ) : null}
    </Command.Item>
  )
}
