'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Activity, CircleAlert, Lock } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTRPC } from '@/components/api/client'
import { fieldOf } from '@/components/api/failure'
import { QueryFailed } from '@/components/api/query-failed'
import { isUnisolated } from '@/components/machines/isolation-words'
import { NoIsolation } from '@/components/machines/no-isolation'
import { Banner } from '@/components/ui/banner'
import { Button, buttonClass } from '@/components/ui/button'
import { bytesText } from '@/components/ui/bytes'
import { CommandKey } from '@/components/ui/command-key'
import { CopyText } from '@/components/ui/copy-field'
import { Link } from '@/components/ui/link'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import { ParkLink } from '@/components/workload/park-link'
import type { Catalog } from '@/domain/catalog'
import type { Funnel } from '@/domain/placement'
import type { MachineView } from '@/domain/views'
import type { WorkloadSettings, WorkloadSpec } from '@/domain/workloads'
import { formField, withChange } from './draft'
import { FunnelWord } from './fit-word'
import { fieldLabel } from './options-words'
import { stopWords } from './stop-times'
import type { DraftForm } from './use-draft'
import { verdictOf } from './verdict'

const RoomHolders = dynamic(() => import('@/components/workload/room-holders').then((m) => m.RoomHolders), { ssr: false })

type Fit = UseQueryResult<Funnel, unknown>
type Props = { form: DraftForm; catalog: Catalog; machines: readonly MachineView[]; fit: Fit }

/** What would happen if it were created now, why, what would help; and the button. */
export function VerdictPanel({ form, catalog, machines, fit }: Props) {
  const { spec } = form.checked
  const chosen = fit.data?.chosen
  const open = chosen && isUnisolated(chosen.driver) ? machines.find((m) => m.id === chosen.machineId) : undefined
  return (
    <Panel aria-label="If you create it now">
      <PanelHead title="If you create it now">
        {fit.data && spec ? (
          <span className="flex items-center gap-1.5 text-micro text-ink-3">
            <Activity className="size-3 shrink-0 text-good" aria-hidden />
            <span>
              checked <Age at={new Date(fit.dataUpdatedAt)} suffix=" ago" />
            </span>
          </span>
        ) : null}
      </PanelHead>
      {spec ? <Verdict fit={fit} /> : <Wrong errors={form.errors} />}
      {spec && open ? <NoIsolation machine={open} className="border-b border-line" /> : null}
      {spec && fit.data ? <Suggestions form={form} spec={spec} funnel={fit.data} /> : null}
      {fit.data?.chosen === null ? <RoomHolders reason={fit.data.reason} className="border-b border-line" /> : null}
      {spec ? <Reserves spec={spec} catalog={catalog} settings={form.draft.settings} /> : null}
      <Refused form={form} />
      <div className="flex items-center gap-2 border-t border-line px-4 py-3 max-xl:hidden">
        <CreateButton form={form} fit={fit} />
        <Link href="/" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </Panel>
  )
}

/** Where the panel is below the form: the answer in a word, and the button, always in sight. */
export function CreateBar({ form, fit }: { form: DraftForm; fit: Fit }) {
  return (
    <div className="sticky -bottom-6 z-10 mt-4 -mb-6 flex items-center gap-3 border-t border-line bg-canvas px-4 py-3 max-md:-mx-3 max-md:px-3 xl:hidden">
      <span className="min-w-0 flex-1">
        {form.checked.spec && fit.data ? <FunnelWord funnel={fit.data} /> : null}
        {form.checked.spec ? null : <span className="text-small text-bad">Something has to be changed first</span>}
      </span>
      <CreateButton form={form} fit={fit} />
    </div>
  )
}

function CreateButton({ form, fit }: { form: DraftForm; fit: Fit }) {
  const me = useQuery(useTRPC().me.get.queryOptions())
  if (me.data?.role === 'viewer') {
    return (
      <p className="flex flex-1 items-center gap-2 text-small text-ink-3 max-xl:flex-none">
        <Lock className="size-3.5 shrink-0" aria-hidden />A viewer here may look, not create.
      </p>
    )
  }
  return (
    <Button
      type="submit"
      kind="primary"
      className="flex-1 max-xl:flex-none"
      isBusy={form.isCreating}
      disabled={!form.checked.spec}
      aria-keyshortcuts="Meta+Enter Control+Enter"
    >
      {fit.data?.chosen === null ? 'Create and wait' : 'Create'}
      <span aria-hidden className="ml-1 font-mono text-micro opacity-80 max-md:hidden">
        <CommandKey />↵
      </span>
    </Button>
  )
}

function Verdict({ fit }: { fit: Fit }) {
  if (fit.isError && !fit.data) {
    return (
      <QueryFailed
        error={fit.error}
        what="The check"
        onRetry={() => void fit.refetch()}
        isRetrying={fit.isFetching}
        className="border-b border-line p-4"
      />
    )
  }
  if (!fit.data)
    return (
      <div role="status" className="h-18 border-b border-line px-4 py-3 text-ink-3">
        Checking…
      </div>
    )
  const { icon, tone, full, starts } = verdictOf(fit.data)
  return (
    <Banner icon={icon} tone={tone} title={starts ? 'It starts now' : 'It will wait'} className="border-b border-line">
      {full}
    </Banner>
  )
}

/** What is wrong in the form: every field with its limit. */
function Wrong({ errors }: { errors: Record<string, string> }) {
  return (
    <Banner icon={CircleAlert} tone="bad" title="Something has to be changed first" className="border-b border-line">
      <ul>
        {Object.entries(errors).map(([field, limit]) => (
          <li key={field}>
            {fieldLabel(field)}: {limit}
          </li>
        ))}
      </ul>
    </Banner>
  )
}
function Suggestions({ form, spec, funnel }: { form: DraftForm; spec: WorkloadSpec; funnel: Funnel }) {
  if (funnel.suggestions.length === 0) return null
  return (
    <div>
      <p className="flex h-7 items-center border-b border-line bg-sunken px-4 text-micro font-medium text-ink-3">
        It would start now if you
      </p>
      <ul>
        {funnel.suggestions.map((suggestion) => (
          <li key={suggestion.title} className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-1.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{suggestion.title}</p>
              <p className="text-small text-ink-3">{suggestion.detail}</p>
            </div>
            {suggestion.park ? (
              <ParkLink {...suggestion.park} />
            ) : (
              <Button
                size="sm"
                onClick={() => form.replace(withChange(form.draft, spec, suggestion.change))}
                aria-label={`Change: ${suggestion.title}`}
              >
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Reserves({ spec, catalog, settings }: { spec: WorkloadSpec; catalog: Catalog; settings: WorkloadSettings }) {
  const runtime = catalog.runtimes.find((r) => r.id === spec.runtime)
  const stops = stopWords(settings)
  const gpus = spec.gpu ? `${spec.gpu.count} ${spec.gpu.count === 1 ? 'GPU' : 'GPUs'}, ` : ''
  return (
    <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-y-1.5 px-4 py-3">
      <dt className="text-ink-3">Runtime</dt>
      <dd>{runtime?.title ?? spec.runtime}</dd>
      <dt className="text-ink-3">Reserves</dt>
      <dd className="tabular-nums">
        {gpus}
        {spec.cpus} CPU, {bytesText(spec.memoryBytes)}, {bytesText(spec.diskBytes)} of disk
      </dd>
      {runtime ? (
        <>
          <dt className="text-ink-3">Network</dt>
          <dd>{networkText(runtime.egress)}</dd>
        </>
      ) : null}
      {spec.mounts.length > 0 ? (
        <>
          <dt className="text-ink-3">Folders</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            {spec.mounts.map((m) => `${m.path} (${m.mode === 'ro' ? 'read only' : 'read and write'})`).join(', ')}
          </dd>
        </>
      ) : null}
      <dt className="text-ink-3">Stops itself</dt>
      <dd>{stops.length === 0 ? 'never; it runs until you park it' : `${stops.join(', ')}; its files stay`}</dd>
    </dl>
  )
}

function networkText({ open, allow }: Catalog['runtimes'][number]['egress']): string {
  if (open) return 'every public address'
  return ['package registries', ...allow].join(', ')
}

/** The server's refusal, where it is not about one field. */
function Refused({ form }: { form: DraftForm }) {
  const { failure } = form
  if (!failure) return null
  const wrong = fieldOf(failure)
  const why = wrong ? `${fieldLabel(formField(wrong.field))}: ${wrong.limit}.` : failure.text
  return (
    <div role="alert" className="flex gap-3 border-t border-line px-4 py-3">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">It was not created</p>
        <p className="text-small text-ink-2">{why} What you typed is kept.</p>
        {failure.requestId ? (
          <p className="mt-1 text-small text-ink-3">
            Request <CopyText value={failure.requestId} shown={failure.requestId.slice(-8)} label="request id" />
          </p>
        ) : null}
      </div>
    </div>
  )
}
