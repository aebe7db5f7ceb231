'use client'
import { useQuery } from '@tanstack/react-query'
import { ListFilter as FilterIcon, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { KIND_ICON } from '@/components/frame/state-look'
import { Chip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Menu, MenuChoice, MenuLabel } from '@/components/ui/menu'
import { KIND_NAMES, KINDS, type Kind } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { ListFilter } from './views'

type Props = {
  filter: ListFilter
  onChange: (change: Partial<ListFilter>) => void
  summary: string
  /** What stands at the right end. */
  children?: ReactNode
}

const ANY = 'any'

/** Text and kind: of the kinds that the catalog has. What is set shows as a token that can be taken away. */
export function FilterBar({ filter, onChange, summary, children }: Props) {
  const { data: catalog } = useQuery(useTRPC().catalog.get.queryOptions())
  const kinds = KIND_NAMES.filter((kind) => catalog?.runtimes.some((runtime) => runtime.kind === kind))
  return (
    <search className="flex min-h-12 flex-wrap items-center gap-2 py-2 max-md:py-3">
      <TextFilter text={filter.text} onChange={(text) => onChange({ text })} />
      {filter.kind ? (
        <Chip removeLabel="Remove the filter by kind" onRemove={() => onChange({ kind: null })}>
          <span className="-ml-0.5 border-r border-line pr-2 text-ink-3">Kind</span>
          <span className="font-medium">{KINDS[filter.kind].label.toLowerCase()}</span>
        </Chip>
      ) : null}
      <Menu
        align="start"
        trigger={
          <Button size="sm" kind="ghost">
            <FilterIcon className="size-3.5 shrink-0" aria-hidden />
            Filter
          </Button>
        }
      >
        <MenuLabel>Kind</MenuLabel>
        <MenuChoice
          value={filter.kind ?? ANY}
          onChange={(value) => onChange({ kind: isKind(value) ? value : null })}
          options={[
            { value: ANY, label: 'Any' },
            ...kinds.map((kind) => ({ value: kind, label: KINDS[kind].label, icon: KIND_ICON[kind] })),
          ]}
        />
      </Menu>
      <span role="status" className="ml-auto text-small text-ink-3 max-md:hidden">
        {summary}
      </span>
      {children}
    </search>
  )
}

/** Typed text is shown at once; the list follows after a short pause. */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  return (
    <Input
      type="search"
      icon={Search}
      aria-label="Filter by name or id"
      placeholder="Filter by name or id"
      maxLength={LIMITS.nameChars}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(event.target.value)
      }}
      frameClassName="w-64 text-small md:h-7 max-md:w-auto max-md:flex-1"
    />
  )
}

function isKind(value: string): value is Kind {
  return value in KINDS
}
