'use client'
import { ExternalLink, TriangleAlert } from 'lucide-react'
import { Button, buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { linkTarget } from './link-filter'

type Props = { uri: string | null; onClose: () => void }

/** A link of the program: shows where it really leads before anything is opened. */
export function LinkDialog({ uri, onClose }: Props) {
  const target = uri === null ? null : linkTarget(uri)
  if (target === null) return null
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Open ${target.host}?`}
      description="A program in this session made this link. Its label may say something else than where it leads."
      className="max-w-140"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <a
            href={target.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onClose}
            className={buttonClass({ kind: 'primary' })}
          >
            <ExternalLink className="size-3.5 shrink-0" aria-hidden />
            Open in a new tab
          </a>
        </>
      }
    >
      <p className="mt-3 max-h-40 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-small [overflow-wrap:anywhere]">
        {target.href}
      </p>
      {target.hasUser ? (
        <p className="mt-2 flex items-center gap-1.5 text-small text-warn">
          <TriangleAlert className="size-3.5 shrink-0" aria-hidden />
          What stands before the @ is not the site: it leads to {target.host}.
        </p>
      ) : null}
    </Dialog>
  )
}
