'use client'
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn'

/** The classes of one tab, for links that are tabs. */
export function tabClass(isCurrent: boolean): string {
  return cn(
    '-mb-px inline-flex h-9 items-center gap-1.5 border-b-2 font-medium whitespace-nowrap max-md:h-11',
    isCurrent ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
  )
}

type Props = {
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: ReactNode }[]
  label: string
  children: ReactNode
  className?: string
}

/** Tabs within a page; each TabPanel inside carries the value of its tab. */
export function Tabs({ value, onChange, tabs, label, children, className }: Props) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className={className}>
      <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={tabClass(tab.value === value)}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  )
}

/** What one tab shows. */
export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string }) {
  return (
    <Radix.Content value={value} className={className}>
      {children}
    </Radix.Content>
  )
}
