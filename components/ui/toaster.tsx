'use client'
import { Check, CircleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import { Button } from './button'
import { cn } from './cn'
import { IconButton } from './icon-button'
import { connectToaster, type ToastRow } from './toast'

const TONE = { plain: 'text-ink-2', good: 'text-good', bad: 'text-bad' } as const
const SHOWN_MS = 6000

/** Draws toasts; loaded with the first one. */
export function Toaster() {
  useEffect(() => connectToaster(draw), [])
  return (
    <Sonner position="bottom-right" duration={SHOWN_MS} gap={8} offset={16} mobileOffset={{ bottom: 124 }} visibleToasts={3} />
  )
}

function draw(row: ToastRow) {
  sonner.custom((id) => <Row row={row} onClose={() => sonner.dismiss(id)} />)
}

function Row({ row, onClose }: { row: ToastRow; onClose: () => void }) {
  const tone = row.tone ?? 'plain'
  const Icon = row.icon ?? (tone === 'bad' ? CircleAlert : Check)
  return (
    <div className="flex min-h-11 w-89 max-w-[calc(100vw-32px)] items-center gap-3 rounded-md bg-raised py-1.5 pr-2 pl-3 font-sans text-body text-ink shadow-overlay">
      <Icon className={cn('size-4 shrink-0', TONE[tone])} strokeWidth={1.75} aria-hidden />
      <span className="min-w-0 flex-1">{row.text}</span>
      {row.action ? (
        <Button
          size="xs"
          onClick={() => {
            row.action?.onClick()
            onClose()
          }}
        >
          {row.action.label}
        </Button>
      ) : null}
      <IconButton icon={X} label="Close" size="xs" onClick={onClose} />
    </div>
  )
}
