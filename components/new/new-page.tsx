'use client'
import { useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import { useEffect } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { KIND_ICON } from '@/components/frame/state-look'
import { Banner } from '@/components/ui/banner'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHead } from '@/components/ui/page'
import { Panel } from '@/components/ui/panel'
import { Select } from '@/components/ui/select'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { Catalog } from '@/domain/catalog'
import { KINDS, type Kind } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'
import { type Draft, firstKind, offeredKinds } from './draft'
import { useFit } from './fit-word'
import { KindPicker } from './kind-picker'
import { MachinePicker } from './machine-picker'
import { MoreOptions } from './more-options'
import { PackagesField } from './packages-field'
import { RecentPanel } from './recent-panel'
import { SizeList } from './size-list'
import { type DraftForm, useDraft } from './use-draft'
import { CreateBar, VerdictPanel } from './verdict-panel'

type Fit = ReturnType<typeof useFit>
type Props = {
  kind: Kind | null
  /** What a link filled in. */
  filled: Draft | null
  /** The link could not be read: nothing of it is in the form. */
  isLinkBroken: boolean
  /** The home folder of whoever runs Berth, offered as the first folder that may be mounted. */
  homeFolder: string
}

/** The form for a new workload: all filled in, so that New → Create is two clicks. */
export function NewPage(props: Props) {
  const catalog = useQuery(useTRPC().catalog.get.queryOptions())
  if (catalog.data) return <NewForm catalog={catalog.data} {...props} />
  return (
    <>
      <PageHead title="New workload" />
      <Panel>
        {catalog.isError ? (
          <QueryFailed
            error={catalog.error}
            what="The catalog"
            onRetry={() => void catalog.refetch()}
            isRetrying={catalog.isFetching}
          />
        ) : (
          <SkeletonRows />
        )}
      </Panel>
    </>
  )
}

function NewForm({ catalog, kind, filled, isLinkBroken, homeFolder }: Props & { catalog: Catalog }) {
  const form = useDraft(catalog, firstKind(catalog, filled?.kind ?? kind), filled)
  const machines = useQuery(useTRPC().machines.list.queryOptions()).data ?? []
  const fit = useFit(form.draft)
  useCreateKey(form)
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault()
        form.create()
      }}
    >
      <PageHead title={`New ${KINDS[form.draft.kind].label.toLowerCase()}`}>
        {filled
          ? 'Filled in from another request. Nothing happens to that one.'
          : 'Everything is filled in with your last choice. Change what matters and create.'}
      </PageHead>
      {isLinkBroken ? (
        <Banner icon={Unlink} tone="warn" title="This link could not be read" className="mb-5 rounded-md">
          Nothing was taken from it. The form has your last choice instead.
        </Banner>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_376px]">
        <Choices form={form} catalog={catalog} machines={machines} fit={fit} homeFolder={homeFolder} isFilled={filled !== null} />
        <div className="flex flex-col gap-4 xl:sticky xl:top-0">
          <VerdictPanel form={form} catalog={catalog} machines={machines} fit={fit} />
          <RecentPanel catalog={catalog} onChoose={form.replace} />
        </div>
      </div>
      <CreateBar form={form} fit={fit} />
    </form>
  )
}

type ChoicesProps = {
  form: DraftForm
  catalog: Catalog
  machines: readonly MachineView[]
  fit: Fit
  homeFolder: string
  /** By a link, whoever wrote it. */
  isFilled: boolean
}

/** What a person chooses, in the order in which it matters. */
function Choices({ form, catalog, machines, fit, homeFolder, isFilled }: ChoicesProps) {
  const { draft, errors, set } = form
  return (
    <div className="flex flex-col gap-4.5">
      <KindPicker value={draft.kind} kinds={offeredKinds(catalog)} onChange={form.setKind} />
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <RuntimeField form={form} catalog={catalog} />
        <KindField form={form} />
        <NameField form={form} />
      </div>
      <SizeList draft={draft} catalog={catalog} machines={machines} onChange={form.replace} />
      <MachinePicker value={draft.machineId} machines={machines} funnel={fit.data} onChange={(machineId) => set({ machineId })} />
      <MoreOptions draft={draft} errors={errors} set={set} machines={machines} homeFolder={homeFolder} isFilled={isFilled} />
    </div>
  )
}

function Strong({ children }: { children: string }) {
  return <span className="font-semibold">{children}</span>
}

function RuntimeField({ form, catalog }: { form: DraftForm; catalog: Catalog }) {
  const { draft, errors, set } = form
  const options = catalog.runtimes
    .filter((r) => r.kind === draft.kind)
    .map((r) => ({ value: r.id, label: r.title, icon: KIND_ICON[r.kind] }))
  return (
    <Field label={<Strong>Runtime</Strong>} error={errors.runtime}>
      {(control) => <Select {...control} value={draft.runtime} onChange={(runtime) => set({ runtime })} options={options} />}
    </Field>
  )
}

function NameField({ form }: { form: DraftForm }) {
  const { draft, errors, set } = form
  return (
    <Field label={<Strong>Name</Strong>} error={errors.name}>
      {(control) => (
        <Input
          {...control}
          isMono
          value={draft.name}
          onChange={(e) => set({ name: e.target.value })}
          maxLength={LIMITS.nameChars}
          placeholder="chosen for you"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

/** What only this kind has: packages of a notebook, the command of a session. */
function KindField({ form }: { form: DraftForm }) {
  const { draft, errors, set } = form
  if (draft.kind === 'notebook') {
    return (
      <PackagesField
        label={<Strong>Packages</Strong>}
        error={errors.requirements}
        value={draft.requirements}
        onChange={(requirements) => set({ requirements })}
      />
    )
  }
  if (draft.kind !== 'session') return null
  return (
    <Field
      label={<Strong>Command</Strong>}
      hint={draft.command === '' ? undefined : <CommandHint command={draft.command} />}
      error={errors.command}
    >
      {(control) => (
        <Input
          {...control}
          isMono
          value={draft.command}
          onChange={(e) => set({ command: e.target.value })}
          placeholder="login shell"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

/** A command that is wider than its field is shown whole: what runs is never out of sight. */
function CommandHint({ command }: { command: string }) {
  return (
    <>
      {command.length > FIELD_CHARS ? (
        <span className="mb-1 block max-h-40 overflow-y-auto font-mono break-all whitespace-pre-wrap">{command}</span>
      ) : null}
      Quotes keep words together; there is no shell around it.
    </>
  )
}
/** What a narrow field shows at once. */
const FIELD_CHARS = 24

/** ⌘↵ or Ctrl-↵ creates from anywhere in the form, also from a field with several lines. */
function useCreateKey({ create }: DraftForm): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return
      event.preventDefault()
      create()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [create])
}
