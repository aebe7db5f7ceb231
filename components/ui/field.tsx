import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cn } from './cn'
import { sentence } from './sentence'

/** What the control of a field must carry so that label, hint and error are read with it. */
export type FieldControl = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type Props = {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** A labelled control with a hint and, when it is wrong, what is wrong. */
export function Field({ label, hint, error, className, children }: Props) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = Boolean(error || hint)
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block w-fit font-medium">
        {label}
      </label>
      {children({ id, ...(hasNote && { 'aria-describedby': noteId }), ...(error && { 'aria-invalid': true }) })}
      {hasNote ? (
        <p
          id={noteId}
          className={cn('mt-1 flex items-start gap-1.5 text-small', error ? 'text-bad' : 'text-ink-3')}
          role={error ? 'alert' : undefined}
        >
          {error ? <CircleAlert className="mt-px size-3.5 shrink-0" aria-hidden /> : null}
          <span className="min-w-0">{error ? sentence(error) : hint}</span>
        </p>
      ) : null}
    </div>
  )
}
