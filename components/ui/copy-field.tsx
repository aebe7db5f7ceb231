'use client'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from './cn'

const COPIED_MS = 1500

/** Copies a text; `isCopied` is true for a moment after it. */
function useCopy(text: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return { isCopied, copy }
}

type Props = { value: string; label: string; className?: string; isMultiline?: boolean }

/** A value to copy in one click: a command, an address, a key. */
export function CopyField({ value, label, className, isMultiline }: Props) {
  const { isCopied, copy } = useCopy(value)
  return (
    <div className={cn('flex items-start gap-2 rounded-md border border-line-2 bg-sunken py-1 pr-1 pl-2.5', className)}>
      <code
        className={cn(
          'min-w-0 flex-1 self-center font-mono text-small',
          isMultiline ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
        )}
      >
        {value}
      </code>
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${label}`}
        className="inline-flex h-6 shrink-0 items-center gap-1 rounded-md border border-line-2 bg-surface px-2 text-small font-medium hover:bg-hover max-md:h-10 max-md:px-3"
      >
        {isCopied ? <Check className="size-3.5 text-good" aria-hidden /> : <Copy className="size-3.5 text-ink-2" aria-hidden />}
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </button>
    </div>
  )
}

/** An id within a sentence: shown short, copied in full. */
export function CopyText({ value, shown, label }: { value: string; shown?: string; label: string }) {
  const { isCopied, copy } = useCopy(value)
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={isCopied ? 'Copied' : `Copy ${label}`}
      title={value}
      className="inline-flex items-center gap-1 rounded-sm font-mono text-small text-ink-2 hover:text-ink max-md:-my-3 max-md:py-3"
    >
      {shown ?? value}
      {isCopied ? <Check className="size-3 text-good" aria-hidden /> : <Copy className="size-3 text-ink-3" aria-hidden />}
    </button>
  )
}
