'use client'
import { createContext, type KeyboardEvent, type ReactNode, useContext, useId } from 'react'
import { tabClass } from './tab-class'

type Props = {
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: ReactNode }[]
  label: string
  children: ReactNode
  className?: string | undefined
}

const Current = createContext({ id: '', value: '' })
const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** Tabs within a page; each TabPanel inside carries the value of its tab. One of them takes part in Tab, arrows move between them. */
export function Tabs({ value, onChange, tabs, label, children, className }: Props) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const move = MOVES[event.key]
    if (!move) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[move(at, tabs.length)]
    if (!next) return
    onChange(next.value)
    document.getElementById(`${id}-tab-${next.value}`)?.focus()
  }
  return (
    <Current value={{ id, value }}>
      <div className={className}>
        <div role="tablist" aria-label={label} className="flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line">
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel-${tab.value}` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={onKeyDown}
              className={tabClass(tab.value === value)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {children}
      </div>
    </Current>
  )
}

/** What one tab shows; the others are not on the page. */
export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string }) {
  const current = useContext(Current)
  if (current.value !== value) return null
  return (
    <div role="tabpanel" id={`${current.id}-panel-${value}`} aria-labelledby={`${current.id}-tab-${value}`} className={className}>
      {children}
    </div>
  )
}
