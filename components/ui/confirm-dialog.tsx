'use client'
import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

type Answer = { label: string; kind: 'primary' | 'danger' | 'destroy'; onAnswer: () => void; isDisabled?: boolean }

type Props = {
  title: string
  /** What it means, before it is done. */
  description: string
  /** What can be answered besides Cancel; the one that is expected comes last. */
  answers: readonly Answer[]
  isBusy: boolean
  /** Why the answer was refused; null: it was not. */
  refused: string | null
  onClose: () => void
  children?: ReactNode
}

/** Asks before something is done that cannot be taken back. It stays open until the answer was accepted. */
export function ConfirmDialog({ title, description, answers, isBusy, refused, onClose, children }: Props) {
  const isChoice = answers.length > 1
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button {...(isChoice && { kind: 'ghost' as const, className: 'mr-auto' })} onClick={onClose}>
            Cancel
          </Button>
          {answers.map(({ label, kind, onAnswer, isDisabled = false }) => (
            <Button key={label} kind={kind} isBusy={isBusy} disabled={isDisabled} onClick={onAnswer}>
              {label}
            </Button>
          ))}
        </>
      }
    >
      {children}
      {refused ? (
        <p role="alert" className="mt-2 text-small text-bad">
          {refused}
        </p>
      ) : null}
    </Dialog>
  )
}
