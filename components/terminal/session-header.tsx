'use client'
import {
  ChevronLeft,
  CircleParking,
  Copy,
  Ellipsis,
  Info,
  Keyboard,
  PanelBottomOpen,
  PanelRight,
  Pencil,
  Trash2,
} from 'lucide-react'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem, MenuLabel, MenuLine } from '@/components/ui/menu'
import { availability } from '@/components/workloads/actions'
import { StateBadge, StatePill } from '@/components/workloads/state-badge'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'
import { type SessionLine, whoIsHere } from './session-line'

type Props = {
  workload: WorkloadView
  line: SessionLine
  me: string
  isPanelOpen: boolean
  onPanel: () => void
  onClaim: () => void
  onRelease: () => void
  onDialog: (dialog: 'rename' | 'delete') => void
  /** Copies what is on the screen; null: there is no terminal. */
  onCopy: (() => Promise<void>) | null
}

/** Which session this is, how it is, who types and who watches. */
export function SessionHeader(props: Props) {
  const { workload, line, me, isPanelOpen, onPanel } = props
  const actions = useWorkloadActions()
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-md:h-13 max-md:gap-1 max-md:px-2">
      <Link
        href={workloadPath(workload.id)}
        aria-label="Back to its page"
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-ink-2 md:hidden"
      >
        <ChevronLeft className="size-4" aria-hidden />
      </Link>
      <div className="min-w-0 max-md:flex-1">
        <h1 className="truncate text-lead font-semibold max-md:text-body">{workload.name}</h1>
        <p className="flex min-w-0 items-center gap-1.5 text-micro text-ink-3 md:hidden">
          <StateBadge workload={workload} />
          {line.status === 'open' && line.hasAttached && !line.exit ? (
            <span className="truncate">· {whoIsHere(line, me).typer}</span>
          ) : null}
        </p>
      </div>
      <span className="max-md:hidden">
        <StatePill workload={workload} />
      </span>
      <div className="ml-auto flex items-center gap-3 max-md:gap-1">
        <WhoTypes {...props} />
        <div className="flex items-center gap-1.5 max-md:gap-0">
          {availability('park', workload).can ? (
            <Button size="sm" className="max-md:hidden" isBusy={actions.isBusy} onClick={() => void actions.park([workload])}>
              <CircleParking className="size-3.5 shrink-0 text-ink-2" aria-hidden />
              Park
            </Button>
          ) : null}
          <IconButton
            icon={PanelRight}
            label={isPanelOpen ? 'Hide the panel' : 'Show the panel'}
            aria-expanded={isPanelOpen}
            isFramed
            onClick={onPanel}
            className="max-md:hidden"
          />
          <IconButton icon={PanelBottomOpen} label="Facts and timeline" onClick={onPanel} className="md:hidden" />
          <SessionMenu {...props} onPark={() => void actions.park([workload])} />
        </div>
      </div>
    </header>
  )
}

function WhoTypes({ workload, line, me, onClaim, onRelease }: Props) {
  const { typer, watchers, isMine } = whoIsHere(line, me)
  if (!line.hasAttached || line.status !== 'open' || line.exit) return null
  const mayType = workload.may.includes('workload.open')
  return (
    <div className="flex items-center gap-2 md:border-r md:border-line md:pr-3">
      <span className="text-small whitespace-nowrap max-md:hidden" role="status">
        <span className="font-medium">{typer}</span>
        {watchers && mayType ? <span className="text-ink-3"> · {watchers}</span> : null}
      </span>
      {mayType ? (
        <Button
          size="sm"
          onClick={isMine ? onRelease : onClaim}
          aria-label={isMine ? 'Give control' : 'Take control'}
          className="max-md:px-3"
        >
          <Keyboard className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          <span>
            {isMine ? 'Give' : 'Take'}
            <span className="max-md:hidden"> control</span>
          </span>
        </Button>
      ) : (
        <span className="text-small text-ink-3 max-md:hidden">· you may only watch</span>
      )}
    </div>
  )
}

function SessionMenu({ workload, onDialog, onCopy, onPark }: Props & { onPark: () => void }) {
  const can = (action: 'park' | 'rename' | 'delete') => availability(action, workload).can
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label="More" className={cn('md:border md:border-line-2 md:bg-surface')} />}>
      <MenuItem asChild>
        <Link href={workloadPath(workload.id)}>
          <Info className="size-3.5 shrink-0 text-ink-3" aria-hidden />
          Its page
        </Link>
      </MenuItem>
      {onCopy ? (
        <MenuItem icon={Copy} onSelect={() => void onCopy()}>
          Copy the screen
        </MenuItem>
      ) : null}
      {can('park') ? (
        <MenuItem icon={CircleParking} onSelect={onPark}>
          Park
        </MenuItem>
      ) : null}
      {can('rename') ? (
        <MenuItem icon={Pencil} onSelect={() => onDialog('rename')}>
          Rename…
        </MenuItem>
      ) : null}
      <MenuLine />
      <MenuLabel>Keys that the terminal does not get</MenuLabel>
      <KeyHint keys="⌘↵ or Ctrl-Shift-↵" text="Take control" />
      <KeyHint keys="Ctrl-Shift-↑" text="Leave the terminal" />
      <KeyHint keys="Ctrl-Shift-C" text="Copy the selection" />
      {can('delete') ? (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger onSelect={() => onDialog('delete')}>
            Delete…
          </MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

function KeyHint({ keys, text }: { keys: string; text: string }) {
  return (
    <p className="flex min-h-6 items-center justify-between gap-6 px-2 text-small">
      <span className="text-ink-2">{text}</span>
      <span className="font-mono text-micro text-ink-3">{keys}</span>
    </p>
  )
}
