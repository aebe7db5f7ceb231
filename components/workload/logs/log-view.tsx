'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import type { LogLine } from './log-lines'

const ROW_PX = 20
const OVERSCAN = 24

export type LogViewHandle = { showLine: (index: number) => void }
type Props = {
  lines: readonly LogLine[]
  dropped: number
  label: string
  /** Stays at the end as lines come. */
  isFollowing: boolean
  onFollowing: (isFollowing: boolean) => void
  /** Text to mark, and the line that was asked for. */
  found: { text: string; id: number | null }
  handle: Ref<LogViewHandle>
  className?: string
}

/** The lines of a log; only those in sight are drawn. Scrolling up stops following, the end takes it up again. */
export function LogView({ lines, dropped, label, isFollowing, onFollowing, found, handle, className }: Props) {
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  })
  useImperativeHandle(handle, () => ({ showLine: (index) => virtual.scrollToIndex(index, { align: 'center' }) }), [virtual])
  useStay(box, { length: lines.length, dropped, isFollowing })
  const onScroll = () => {
    const { current } = box
    if (current) onFollowing(current.scrollHeight - current.scrollTop - current.clientHeight < ROW_PX)
  }
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
      tabIndex={0}
      onScroll={onScroll}
      className={cn(
        'overflow-auto bg-sunken py-2 font-mono text-small [contain:strict] focus-visible:-outline-offset-2',
        className,
      )}
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return line ? <Row key={line.id} line={line} top={start} found={found} /> : null
        })}
      </div>
    </section>
  )
}

/** At the end while it follows; else the same lines stay in sight when old ones leave at the top. */
function useStay(box: React.RefObject<HTMLElement | null>, now: { length: number; dropped: number; isFollowing: boolean }): void {
  const droppedBefore = useRef(now.dropped)
  const { length, dropped, isFollowing } = now
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    if (isFollowing) current.scrollTop = current.scrollHeight
    else current.scrollTop -= (dropped - droppedBefore.current) * ROW_PX
    droppedBefore.current = dropped
  }, [box, length, dropped, isFollowing])
}

function Row({ line, top, found }: { line: LogLine; top: number; found: Props['found'] }) {
  return (
    <div
      className={cn(
        'absolute left-0 h-5 w-max min-w-full px-4 leading-5 whitespace-pre',
        line.id === found.id && 'bg-accent-soft',
        line.isMark ? 'font-sans text-ink-3 italic' : 'text-ink-2',
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      {line.isMark || found.text === '' ? line.text : <Marked text={line.text} part={found.text} />}
    </div>
  )
}

/** The text with each place of the searched part marked. */
function Marked({ text, part }: { text: string; part: string }) {
  const lower = text.toLowerCase()
  const pieces: React.ReactNode[] = []
  let done = 0
  for (let at = lower.indexOf(part); at !== -1; at = lower.indexOf(part, done)) {
    pieces.push(text.slice(done, at))
    done = at + part.length
    pieces.push(
      <mark key={at} className="rounded-xs bg-wait-soft text-wait">
        {text.slice(at, done)}
      </mark>,
    )
  }
  return (
    <>
      {pieces}
      {text.slice(done)}
    </>
  )
}
