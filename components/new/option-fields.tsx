'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTRPC } from '@/components/api/client'
import { bytesText } from '@/components/ui/bytes'
import { Checkbox } from '@/components/ui/choice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { KINDS } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'
import type { Draft } from './draft'
import { FolderRows } from './folder-rows'
import { mountPlace } from './mount-place'
import { NumberField } from './number-field'
import { StopFields } from './stop-fields'

const GIB = 2 ** 30

export type OptionProps = {
  draft: Draft
  errors: Record<string, string>
  set: (patch: Partial<Draft>) => void
  machines: readonly MachineView[]
  /** A folder that is offered when none of a machine may be mounted yet. */
  homeFolder: string
}

/** The options that are folded at first: what is reserved, when it stops, what of its machine it sees. */
export function OptionFields({ draft, errors, set, machines, homeFolder }: OptionProps) {
  const me = useQuery(useTRPC().me.get.queryOptions())
  const place = mountPlace({ machines, machineId: draft.machineId, personId: me.data?.id })
  return (
    <>
      <Section title="Reserved">
        <div className="grid gap-4 sm:grid-cols-3">
          <SizeFields draft={draft} errors={errors} set={set} />
        </div>
        <Fallbacks draft={draft} set={set} />
      </Section>
      <Section title="Stops by itself" detail="It is parked: its files stay, and Resume brings it back.">
        <StopFields settings={draft.settings} errors={errors} onChange={(settings) => set({ settings })} />
      </Section>
      <Section title="Folders of the machine" detail="Seen inside below /workspace, beside what is kept there.">
        {me.data ? (
          <FolderRows
            mounts={draft.mounts}
            errors={errors}
            place={place}
            homeFolder={homeFolder}
            onChange={(mounts) => set({ mounts })}
          />
        ) : null}
      </Section>
      <Section title="Start">
        <div className="grid gap-4 sm:grid-cols-2">
          <RebootPolicy draft={draft} set={set} />
          {draft.kind === 'notebook' ? <PythonField draft={draft} errors={errors} set={set} /> : null}
        </div>
      </Section>
    </>
  )
}

function Section({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-b border-line px-4 pt-3 pb-4 last:border-b-0">
      <div className="mb-2.5 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {detail ? <p className="text-small text-ink-3">{detail}</p> : null}
      </div>
      {children}
    </section>
  )
}

type FieldProps = Pick<OptionProps, 'draft' | 'errors' | 'set'>

function SizeFields({ draft, errors, set }: FieldProps) {
  return (
    <>
      <NumberField label="CPUs" unit="CPU" value={draft.cpus} onChange={(cpus) => set({ cpus })} error={errors.cpus} />
      <NumberField
        label="Memory"
        unit="GiB"
        value={draft.memoryBytes / GIB}
        onChange={(n) => set({ memoryBytes: Math.round(n * GIB) })}
        error={errors.memoryBytes && inGib(errors.memoryBytes)}
      />
      <NumberField
        label="Disk"
        unit="GiB"
        value={draft.diskBytes / GIB}
        onChange={(n) => set({ diskBytes: Math.round(n * GIB) })}
        error={errors.diskBytes && inGib(errors.diskBytes)}
      />
    </>
  )
}

function Fallbacks({ draft, set }: Pick<OptionProps, 'draft' | 'set'>) {
  const id = useId()
  const { gpu } = draft
  if (!gpu) return null
  return (
    <label htmlFor={id} className="mt-4 flex items-start gap-2">
      <Checkbox
        id={id}
        className="mt-0.75"
        checked={gpu.allowFallbacks}
        onChange={(e) => set({ gpu: { ...gpu, allowFallbacks: e.target.checked } })}
      />
      <span>
        Allow the fallbacks of this class
        <span className="block text-small text-ink-3">If none of it is free, the next larger class of the catalog will do.</span>
      </span>
    </label>
  )
}

function PythonField({ draft, errors, set }: FieldProps) {
  return (
    <Field
      label="Existing Python as the kernel"
      hint="An interpreter of the machine, below an allowed folder. Empty: one is built with the packages above."
      error={errors.python}
    >
      {(control) => (
        <Input
          {...control}
          isMono
          value={draft.python}
          onChange={(e) => set({ python: e.target.value })}
          maxLength={LIMITS.pathChars}
          placeholder="/home/…/venv/bin/python"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

function RebootPolicy({ draft, set }: Pick<OptionProps, 'draft' | 'set'>) {
  const value = draft.rebootPolicy ?? KINDS[draft.kind].rebootPolicy
  const hint =
    value === 'resume' ? 'It starts again by itself, with its files.' : 'It is parked with its files until you resume it.'
  return (
    <div>
      <p aria-hidden className="mb-1 font-medium">
        When its machine restarts
      </p>
      <Segmented
        label="When its machine restarts"
        value={value}
        onChange={(v) => set({ rebootPolicy: v === 'resume' ? 'resume' : 'stay' })}
        options={[
          { value: 'resume', label: 'Start again' },
          { value: 'stay', label: 'Stay parked' },
        ]}
      />
      <p className="mt-1 text-small text-ink-3">{hint}</p>
    </div>
  )
}

/** The schema counts in bytes; the field does not. */
function inGib(limit: string): string {
  return limit.replace(/(\d+) bytes/, (_, n: string) => bytesText(Number(n)))
}
