import { Lock } from 'lucide-react'
import { Button } from '@/components/ui/button'

type Props = { isDirty: boolean; isSaving: boolean; whyNot: string | null; reset: () => void; when: string }

/** The foot of a form: saves what was changed, or says why nothing can be. `when`: from when on it counts. */
export function SaveLine({ isDirty, isSaving, whyNot, reset, when }: Props) {
  return (
    <footer className="flex min-h-12 items-center gap-2 border-t border-line px-4 py-2">
      {whyNot === null ? (
        <>
          <Button type="submit" kind="primary" disabled={!isDirty} isBusy={isSaving}>
            Save
          </Button>
          {isDirty ? <Button onClick={reset}>Undo the changes</Button> : null}
          <span className="ml-auto text-small text-ink-3 max-sm:hidden">{when}</span>
        </>
      ) : (
        <p className="flex items-center gap-2 text-small text-ink-3">
          <Lock className="size-3.5 shrink-0" aria-hidden />
          {whyNot}
        </p>
      )}
    </footer>
  )
}
