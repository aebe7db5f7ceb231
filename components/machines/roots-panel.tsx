'use client'
import { Folder, FolderX, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Panel, PanelHead } from '@/components/ui/panel'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'
import { useMountRoots } from './use-mount-roots'

/** Below which folders of a machine its owner's workloads may be shown some. `canEdit`: its owner, or an operator. */
export function RootsPanel({ machine, canEdit }: { machine: MachineView; canEdit: boolean }) {
  const form = useMountRoots(machine)
  return (
    <Panel aria-label="Allowed folders">
      <PanelHead
        title="Allowed folders"
        meta={<span className="max-sm:hidden">workloads of its owner may see what is below</span>}
      />
      {machine.mountRoots.length === 0 ? (
        <Empty icon={FolderX} title="None" className="py-5">
          No workload sees a folder of {machine.name}: each has its own workspace and nothing else.
        </Empty>
      ) : null}
      <ul>
        {machine.mountRoots.map((root) => (
          <li key={root} className="flex min-h-9 items-center gap-2.5 border-b border-line px-4 last:border-b-0">
            <Folder className="size-3.5 shrink-0 text-ink-3" aria-hidden />
            <span className="min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">{root}</span>
            {canEdit ? (
              <IconButton
                icon={X}
                size="xs"
                label={`No longer allow ${root}`}
                disabled={form.isSaving}
                onClick={() => void form.remove(root)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {canEdit ? <AddRoot form={form} isFirst={machine.mountRoots.length === 0} /> : null}
    </Panel>
  )
}

function AddRoot({ form, isFirst }: { form: ReturnType<typeof useMountRoots>; isFirst: boolean }) {
  const [typed, setTyped] = useState('')
  return (
    <form
      method="dialog"
      noValidate
      className="border-t border-line px-4 py-3"
      onSubmit={async (event) => {
        event.preventDefault()
        if (await form.add(typed)) setTyped('')
      }}
    >
      <Field
        label={isFirst ? 'Allow a folder' : 'Allow another folder'}
        hint="What runs already keeps what it has until it starts again."
        error={form.error}
      >
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              isMono
              frameClassName="min-w-0 flex-1"
              value={typed}
              onChange={(e) => setTyped(e.target.value)}
              maxLength={LIMITS.pathChars}
              placeholder="/home/…"
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit" isBusy={form.isSaving} disabled={typed.trim() === ''}>
              Allow
            </Button>
          </span>
        )}
      </Field>
    </form>
  )
}
