'use client'
import { Cpu, Folder, type LucideIcon, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { WorkloadView } from '@/domain/views'
import { touched } from './actions'
import { type DeleteWords, deleteWords } from './delete-words'
import { type Outcome, useWorkloadActions } from './use-workload-actions'

type Props = {
  targets: readonly WorkloadView[]
  onClose: () => void
  onDeleted?: () => void
  /** Told each row's end when some of several were refused. */
  onPartly?: (outcome: Outcome) => void
}

const ICON: Record<DeleteWords['lost'][number]['what'], LucideIcon> = { workspace: Folder, process: Cpu, record: ScrollText }

/** Asks before a delete: names what is lost and what stays, and offers to park instead. */
export function DeleteDialog({ targets, onClose, onDeleted, onPartly }: Props) {
  const [typed, setTyped] = useState('')
  const actions = useWorkloadActions(onPartly && closeThen(onClose, onPartly))
  const words = deleteWords(targets)
  const isConfirmed = words.typed === null || typed.trim() === words.typed
  const remove = async () => {
    if (!isConfirmed || !(await actions.remove(targets))) return
    onClose()
    onDeleted?.()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={words.title}
      description={words.description}
      footer={
        <>
          <ParkInstead targets={targets} onClose={onClose} />
          <Button onClick={onClose}>{words.typed === null ? 'Keep it' : 'Cancel'}</Button>
          <Button kind="destroy" disabled={!isConfirmed} isBusy={actions.isBusy} onClick={remove}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void remove()
        }}
      >
        <LostList lost={words.lost} />
        <p className="mt-2.5 mb-1 text-micro font-medium text-ink-3">Stays</p>
        <p className="text-small text-ink-2">{words.stays}</p>
        {words.typed === null ? null : <Confirm expected={words.typed} typed={typed} onType={setTyped} />}
      </form>
    </Dialog>
  )
}

function closeThen(onClose: () => void, tell: (outcome: Outcome) => void): (outcome: Outcome) => void {
  return (outcome) => {
    onClose()
    tell(outcome)
  }
}

function Confirm({ expected, typed, onType }: { expected: string; typed: string; onType: (typed: string) => void }) {
  const label = (
    <>
      Type <span className="font-mono">{expected}</span> to confirm
    </>
  )
  return (
    <Field label={label} className="mt-3">
      {(control) => (
        <Input
          {...control}
          isMono
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The way that loses nothing, for those of the targets that can be parked. */
function ParkInstead({ targets, onClose }: Pick<Props, 'targets' | 'onClose'>) {
  const actions = useWorkloadActions()
  const parkable = touched('park', targets)
  if (parkable.length === 0) return null
  const park = () => {
    void actions.park(parkable)
    onClose()
  }
  return (
    <Button kind="ghost" className="mr-auto -ml-3" onClick={park}>
      {targets.length === 1 ? 'Park instead' : `Park ${parkable.length} instead`}
    </Button>
  )
}

function LostList({ lost }: { lost: DeleteWords['lost'] }) {
  if (lost.length === 0) return null
  return (
    <>
      <p className="mt-3 mb-1 text-micro font-medium text-ink-3">Will be lost</p>
      <ul className="rounded-md border border-line px-3 py-1.5">
        {lost.map(({ what, text, detail }) => {
          const Icon = ICON[what]
          return (
            <li key={what} className="flex items-center gap-2.5 py-1">
              <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden />
              <span className="flex-1">{text}</span>
              <span className="text-small text-ink-3">{detail}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
