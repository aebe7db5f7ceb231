'use client'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { Paste } from './paste-filter'

type Props = { paste: Paste | null; onType: () => void; onClose: () => void }

const SHOWN_CHARS = 4000

/** Asks before a paste that holds line ends: each one could run a command. */
export function PasteDialog({ paste, onType, onClose }: Props) {
  if (paste === null) return null
  const what = paste.lines === 1 ? 'this line and its end' : `${paste.lines} lines`
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Paste ${what}?`}
      description="Each line end acts like Enter in a program that does not expect a paste."
      className="max-w-140"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={onType}>
            Paste
          </Button>
        </>
      }
    >
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long paste is scrolled with the keyboard
        tabIndex={0}
        className="mt-3 max-h-60 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {paste.text.slice(0, SHOWN_CHARS)}
        {paste.text.length > SHOWN_CHARS ? ' …' : null}
      </pre>
      <p className="mt-2 text-small text-ink-3">
        {paste.text.length.toLocaleString('en-GB')} characters
        {paste.removed > 0 ? `; ${removedText(paste.removed)} taken out` : null}
      </p>
    </Dialog>
  )
}

function removedText(n: number): string {
  return n === 1 ? '1 hidden control character was' : `${n} hidden control characters were`
}
