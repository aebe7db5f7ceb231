'use client'
import { FolderKey } from 'lucide-react'
import { useState } from 'react'
import { useMountRoots } from '@/components/machines/use-mount-roots'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'

/** Asked once, while nothing of the person's machine may be mounted yet. */
export function AllowHome({ machine, homeFolder }: { machine: MachineView; homeFolder: string }) {
  const { add, error, isSaving } = useMountRoots(machine)
  const [typed, setTyped] = useState(homeFolder)
  const allow = () => void add(typed)
  return (
    <div className="rounded-md border border-line bg-sunken px-4 py-3">
      <p className="flex items-center gap-2 font-semibold">
        <FolderKey className="size-4 shrink-0 text-accent-ink" strokeWidth={1.75} aria-hidden />
        Allow folders below your home?
      </p>
      <p className="mt-1 text-small text-ink-2">
        No folder of {machine.name} is allowed yet. Your workloads there could then see those that you add, never what Berth
        itself stores. You can change this on the page of the machine.
      </p>
      <Field label={<span className="sr-only">Folder to allow</span>} error={error} className="mt-2">
        {(control) => (
          <span className="flex flex-wrap gap-2">
            <Input
              {...control}
              isMono
              frameClassName="min-w-0 flex-1 basis-48"
              value={typed}
              onChange={(e) => setTyped(e.target.value)}
              onKeyDown={(e) => {
                if (e.key !== 'Enter' || e.metaKey || e.ctrlKey) return
                // Enter allows the folder; it does not create the workload around it.
                e.preventDefault()
                allow()
              }}
              maxLength={LIMITS.pathChars}
              autoComplete="off"
              spellCheck={false}
            />
            <Button onClick={allow} isBusy={isSaving} disabled={typed.trim() === ''}>
              Allow
            </Button>
          </span>
        )}
      </Field>
    </div>
  )
}
