'use client'
import { Bookmark } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type Props = { onSave: (name: string) => void }

/** Keeps what the list shows now as a tab of its own, in this browser. */
export function SaveView({ onSave }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (name.trim() === '') return
    onSave(name)
    setName('')
    setOpen(false)
  }
  return (
    <>
      <Button size="sm" kind="ghost" onClick={() => setOpen(true)} className="max-md:hidden">
        <Bookmark className="size-3.5 shrink-0" aria-hidden />
        Save view
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Save this view"
        description="Its filters, order and columns become a tab in this browser."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="primary" disabled={name.trim() === ''} onClick={() => submit()}>
              Save
            </Button>
          </>
        }
      >
        <form className="mt-3" onSubmit={submit}>
          <NameField name={name} onChange={setName} />
        </form>
      </Dialog>
    </>
  )
}

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <Field label="Name">
      {(control) => (
        <Input {...control} value={name} maxLength={40} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
