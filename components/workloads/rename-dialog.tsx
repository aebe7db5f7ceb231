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

type Props = { workload: Pick<WorkloadView, 'id' | 'name'> | null; onClose: () => void }

/** Another name for a workload. Open while there is one. */
export function RenameDialog({ workload, onClose }: Props) {
  if (workload === null) return null
  return <RenameForm key={workload.id} workload={workload} onClose={onClose} />
}

function RenameForm({ workload, onClose }: { workload: Pick<WorkloadView, 'id' | 'name'>; onClose: () => void }) {
  const trpc = useTRPC()
  const [name, setName] = useState(workload.name)
  const rename = useMutation(trpc.workloads.rename.mutationOptions({ onSuccess: onClose }))
  const parsed = workloadName.safeParse(name)
  const failure = rename.error ? failureOf(rename.error) : null
  const error = parsed.success ? failure && (fieldOf(failure)?.limit ?? failure.text) : parsed.error.issues[0]?.message
  const save = () => {
    if (!parsed.success) return
    if (name === workload.name) onClose()
    else rename.mutate({ id: workload.id, name })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Rename ${workload.name}`}
      description="Its address, files and timeline stay as they are."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!parsed.success} isBusy={rename.isPending} onClick={save}>
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
        <Field label="Name" hint="a-z, 0-9 and -" error={name === '' ? null : error}>
          {(control) => (
            <Input
              {...control}
              isMono
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={(e) => {
                rename.reset()
                setName(e.target.value)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
