'use client'
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, CornerDownLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { BAR_KEYS, type BarKey, barKeyBytes, withCtrl } from './key-bytes'

type Props = {
  isApplicationCursor: () => boolean
  onType: (text: string) => void
  /** Why nothing can be typed; null: it can. */
  whyNot: string | null
}

const KEYS: readonly { key: BarKey | 'ctrl'; label: string; shown: ReactNode }[] = [
  { key: 'escape', label: 'Escape', shown: 'Esc' },
  { key: 'ctrl', label: 'Control, for the next key', shown: 'Ctrl' },
  { key: 'tab', label: 'Tab', shown: 'Tab' },
  { key: 'left', label: 'Left', shown: <ArrowLeft className="size-4" aria-hidden /> },
  { key: 'down', label: 'Down', shown: <ArrowDown className="size-4" aria-hidden /> },
  { key: 'up', label: 'Up', shown: <ArrowUp className="size-4" aria-hidden /> },
  { key: 'right', label: 'Right', shown: <ArrowRight className="size-4" aria-hidden /> },
]

/**
 * The keys that a phone's keyboard lacks, and a line to compose in: there an input method, corrections and dictation
 * work as anywhere. The line is typed with Enter; an empty line types Enter alone.
 */
export function KeyBar({ isApplicationCursor, onType, whyNot }: Props) {
  const isDisabled = whyNot !== null
  const [text, setText] = useState('')
  const [hasCtrl, setCtrl] = useState(false)
  const press = (key: BarKey | 'ctrl') => {
    if (key === 'ctrl') {
      setCtrl(!hasCtrl)
      return
    }
    onType(barKeyBytes(key, { isApplication: isApplicationCursor(), hasCtrl }))
    setCtrl(false)
  }
  const change = (next: string) => {
    if (hasCtrl && next.length > text.length) {
      onType(withCtrl(next.slice(text.length)))
      setCtrl(false)
      return
    }
    setText(next)
  }
  const send = () => {
    onType(text + BAR_KEYS.enter)
    setText('')
  }
  return (
    <div className="shrink-0 border-t border-term-line bg-term px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] md:flex md:items-center md:gap-3 md:pointer-fine:hidden">
      <ComposeLine text={text} onChange={change} onSend={send} whyNot={whyNot} />
      <div className="flex gap-1.5 pt-2 md:w-96 md:pt-0">
        {KEYS.map((row) => (
          <Key
            key={row.key}
            row={row}
            isOn={row.key === 'ctrl' && hasCtrl}
            isDisabled={isDisabled}
            onPress={() => press(row.key)}
          />
        ))}
      </div>
    </div>
  )
}

type LineProps = { text: string; onChange: (text: string) => void; onSend: () => void; whyNot: string | null }

function ComposeLine({ text, onChange, onSend, whyNot }: LineProps) {
  const isDisabled = whyNot !== null
  return (
    <form
      className="flex flex-1 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      <input
        value={text}
        onChange={(event) => onChange(event.target.value)}
        disabled={isDisabled}
        aria-label="Text to type"
        placeholder={whyNot ?? 'Type, or use the keys'}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        className="h-11 min-w-0 flex-1 rounded-md border border-term-line bg-transparent px-3 font-mono text-[16px] text-term-ink outline-accent placeholder:text-small placeholder:text-term-dim disabled:opacity-60"
      />
      <button
        type="submit"
        disabled={isDisabled}
        aria-label="Send Enter"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-md bg-accent text-on-accent disabled:opacity-50"
      >
        <CornerDownLeft className="size-4" aria-hidden />
      </button>
    </form>
  )
}

type KeyProps = { row: (typeof KEYS)[number]; isOn: boolean; isDisabled: boolean; onPress: () => void }

function Key({ row, isOn, isDisabled, onPress }: KeyProps) {
  return (
    <button
      type="button"
      aria-label={row.label}
      aria-pressed={row.key === 'ctrl' ? isOn : undefined}
      disabled={isDisabled}
      // The keyboard of the phone stays as it is: the line keeps its focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={cn(
        'flex h-11 flex-1 items-center justify-center rounded-md border font-mono text-small disabled:opacity-50',
        isOn ? 'border-term-teal bg-term-line text-term-teal' : 'border-term-line bg-term-line/40 text-term-ink',
      )}
    >
      {row.shown}
    </button>
  )
}
