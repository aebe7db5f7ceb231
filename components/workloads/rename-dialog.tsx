'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { workloadName } from '@/domain/names'
import type { WorkloadView } from '@/domain/views'

type Props = { workload: Pick<WorkloadView, 'id' | 'name'>; onClose: () => void }

/** Another name for a workload. */
export function RenameDialog({ workload, onClose }: Props) {
  const { name, type, error, canSave, isSaving, save } = useRename(workload, onClose)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Rename ${workload.name}`}
      description="Its address, files and timeline stay as they are."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!canSave} isBusy={isSaving} onClick={save}>
            Rename
          </Button>
        </>
      }
    >
      <form
        className="mt-3"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" hint="a-z, 0-9 and -" error={error}>
          {(control) => (
            <Input
              {...control}
              isMono
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => type(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

/** The name as it is typed, checked by the schema of the API; what the server refuses shows in the same place. */
function useRename({ id, name: before }: Props['workload'], onDone: () => void) {
  const [name, setName] = useState(before)
  const rename = useMutation(useTRPC().workloads.rename.mutationOptions({ onSuccess: onDone }))
  const parsed = workloadName.safeParse(name)
  const failure = rename.error ? failureOf(rename.error) : null
  const refused = failure && (fieldOf(failure)?.limit ?? failure.text)
  const type = (next: string) => {
    rename.reset()
    setName(next)
  }
  const save = () => {
    if (!parsed.success) return
    if (name === before) onDone()
    else rename.mutate({ id, name })
  }
  const error = parsed.success ? refused : parsed.error.issues[0]?.message
  return { name, type, save, canSave: parsed.success, isSaving: rename.isPending, error: name === '' ? null : error }
}
