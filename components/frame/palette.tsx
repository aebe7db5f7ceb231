'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { LogOut, Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { signOut } from '@/components/api/sign-in'
import { useMayCreate } from '@/components/api/use-may-create'
import { Kbd } from '@/components/ui/kbd'
import { useReturnFocus } from '@/components/ui/use-return-focus'
import { ACTIONS } from '@/components/workloads/actions'
import { KINDS } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { PLACES } from './nav'
import { PALETTE_GROUP, PaletteItem } from './palette-item'
import { paletteSearch } from './palette-search'
import { PaletteWorkload } from './palette-workload'
import { KIND_ICON } from './state-look'
import { THEMES } from './theme'
import { useThemeChoice } from './theme-menu'
import { useGo } from './use-go'

const FOUND_MAX = 6
const START_KINDS = ['notebook', 'session'] as const

/** Search and commands: what can be opened, parked, created or gone to. Loaded when it is first wanted. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const focus = useReturnFocus()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay-in fixed inset-0 z-40 bg-canvas/70" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="overlay-in fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-140 -translate-x-1/2 rounded-md bg-raised shadow-overlay max-md:top-3"
        >
          <Dialog.Title className="sr-only">Search or run a command</Dialog.Title>
          <Command label="Commands" loop>
            <div className="flex h-11 items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
              <Command.Input
                value={text}
                onValueChange={setText}
                maxLength={LIMITS.nameChars}
                placeholder="Search or run a command"
                className="h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3 max-md:text-[16px]"
              />
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-2.5 py-3 text-ink-3">Nothing is called that.</Command.Empty>
              {/* What comes later stands below while nothing was typed: the first line is chosen already and stays first. */}
              {text === '' ? null : <Workloads text={text} onClose={onClose} />}
              <Commands onClose={onClose} />
              {text === '' ? <Workloads text="" onClose={onClose} /> : null}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Workloads({ text, onClose }: { text: string; onClose: () => void }) {
  const trpc = useTRPC()
  const { verb, name } = paletteSearch(useDeferredValue(text))
  const input = {
    limit: FOUND_MAX,
    ...(name !== '' && { text: name }),
    // A verb alone lists what it can be done to.
    ...(verb && { states: [...ACTIONS[verb].states] }),
  }
  const { data } = useQuery({ ...trpc.workloads.list.queryOptions(input), placeholderData: keepPreviousData })
  const isShort = verb === null && name === ''
  return data?.rows.map((workload, i) => (
    <PaletteWorkload
      key={workload.id}
      workload={workload}
      heading={!isShort ? workload.name : i === 0 ? 'Workloads' : null}
      isShort={isShort}
      onClose={onClose}
    />
  ))
}

function Commands({ onClose }: { onClose: () => void }) {
  const goTo = useGo()
  const { choose } = useThemeChoice('system')
  const mayCreate = useMayCreate()
  const go = (href: string) => () => {
    onClose()
    goTo(href)
  }
  const theme = (value: string) => () => {
    onClose()
    choose(value)
  }
  return (
    <Command.Group heading={mayCreate ? 'Create and go' : 'Go'} className={PALETTE_GROUP}>
      {mayCreate
        ? START_KINDS.map((kind, i) => (
            <PaletteItem key={kind} icon={KIND_ICON[kind]} onSelect={go(`/new?kind=${kind}`)} {...(i === 0 && { keys: 'N' })}>
              New {KINDS[kind].label.toLowerCase()}
            </PaletteItem>
          ))
        : null}
      {PLACES.map((place) => (
        <PaletteItem key={place.href} icon={place.icon} onSelect={go(place.href)}>
          Go to {place.label}
        </PaletteItem>
      ))}
      {THEMES.map(({ value, label, icon }) => (
        <PaletteItem key={value} icon={icon} onSelect={theme(value)}>
          Theme: {label.toLowerCase()}
        </PaletteItem>
      ))}
      <PaletteItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </PaletteItem>
    </Command.Group>
  )
}
