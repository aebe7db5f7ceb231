'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { bytesText } from '@/components/ui/bytes'
import { Checkbox } from '@/components/ui/choice'
import { Field } from '@/components/ui/field'
import { Segmented } from '@/components/ui/segmented'
import { KINDS } from '@/domain/kinds'
import type { Draft } from './draft'
import { NumberField } from './number-field'

const GIB = 2 ** 30

type Props = { draft: Draft; errors: Record<string, string>; set: (patch: Partial<Draft>) => void }

/** What few people change. A wrong value opens it, so that no error hides. */
export function MoreOptions({ draft, errors, set }: Props) {
  const [isWanted, setWanted] = useState(false)
  const id = useId()
  const hasError = ['cpus', 'memoryBytes', 'diskBytes', 'gpu'].some((field) => field in errors)
  const isOpen = isWanted || hasError
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
        className="flex min-h-9 w-full items-center gap-2 rounded-md px-4 text-left hover:bg-hover max-md:min-h-11"
      >
        <Chevron className="size-3.5 shrink-0 text-ink-3" aria-hidden />
        <span className="font-medium whitespace-nowrap">More options</span>
        {isOpen ? null : <span className="truncate text-small text-ink-3">{summary(draft)}</span>}
      </button>
      {isOpen ? (
        <div id={id} className="grid gap-4 border-t border-line p-4 sm:grid-cols-3">
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
          <RebootPolicy draft={draft} set={set} />
          {draft.gpu ? (
            <label htmlFor={`${id}fallbacks`} className="flex items-start gap-2 sm:col-span-3">
              <Checkbox
                id={`${id}fallbacks`}
                className="mt-0.75"
                checked={draft.gpu.allowFallbacks}
                onChange={(e) => draft.gpu && set({ gpu: { ...draft.gpu, allowFallbacks: e.target.checked } })}
              />
              <span>
                Allow the fallbacks of this class
                <span className="block text-small text-ink-3">
                  If none of it is free, the next larger class of the catalog will do.
                </span>
              </span>
            </label>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function RebootPolicy({ draft, set }: { draft: Draft; set: Props['set'] }) {
  const value = draft.rebootPolicy ?? KINDS[draft.kind].rebootPolicy
  return (
    <Field
      label="When its machine restarts"
      hint={
        value === 'resume' ? 'It starts again by itself, with its files.' : 'It is parked with its files until you resume it.'
      }
      className="sm:col-span-3"
    >
      {() => (
        <Segmented
          label="When its machine restarts"
          value={value}
          onChange={(v) => set({ rebootPolicy: v === 'resume' ? 'resume' : 'stay' })}
          options={[
            { value: 'resume', label: 'Start again' },
            { value: 'stay', label: 'Stay parked' },
          ]}
        />
      )}
    </Field>
  )
}

function summary(draft: Draft): string {
  const parts = [`${draft.cpus} CPU`, bytesText(draft.memoryBytes), `${bytesText(draft.diskBytes)} of disk`]
  if (draft.gpu) parts.push(draft.gpu.allowFallbacks ? 'fallback classes allowed' : 'no fallback class')
  const policy = draft.rebootPolicy ?? KINDS[draft.kind].rebootPolicy
  return [
    ...parts,
    policy === 'resume' ? 'starts again after a restart of its machine' : 'stays parked after a restart of its machine',
  ].join(' · ')
}

/** The schema counts in bytes; the field does not. */
function inGib(limit: string): string {
  return limit.replace(/(\d+) bytes/, (_, n: string) => bytesText(Number(n)))
}
