import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Input } from '@/components/ui/input'
import { LIMITS } from '@/domain/limits'

type Props = {
  label: string
  placeholder: string
  onSearch: (text: string) => void
  /** The field was emptied. */
  onClear: () => void
  /** What stands beside the field, given whether there is something to look for. */
  children?: (hasText: boolean) => ReactNode
  className?: string
  frameClassName?: string
}

/** What to look for in what was printed; Enter looks. */
export function SearchField({ label, placeholder, onSearch, onClear, children, className, frameClassName }: Props) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') onClear()
    else onSearch(text.trim())
  }
  return (
    <form method="dialog" onSubmit={submit} className={className}>
      <Input
        type="search"
        icon={Search}
        aria-label={label}
        placeholder={placeholder}
        maxLength={LIMITS.searchTextChars}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '') onClear()
        }}
        {...(frameClassName && { frameClassName })}
      />
      {children?.(text.trim() !== '')}
    </form>
  )
}
