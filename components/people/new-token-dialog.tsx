'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import { PasswordField } from '@/components/sign-in/credential-fields'
import { Banner } from '@/components/ui/banner'
import { Button } from '@/components/ui/button'
import { CopyField } from '@/components/ui/copy-field'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Refused } from '@/components/ui/refused'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { LIMITS } from '@/domain/limits'
import { apiTokenName } from '@/domain/names'
import { SCOPES, type Scope } from '@/domain/tokens'
import { scopeText } from './words'

const DAYS = [7, 30, LIMITS.apiTokenDays, LIMITS.apiTokenDaysMax] as const
const SCOPE_HINT: Record<Scope, string> = {
  read: 'Lists, timelines and reasons; it changes nothing.',
  write: 'Everything that the pages of workloads do, terminals too.',
  admin: 'Everything that you may, tokens and machines too.',
}

/** Makes a token; then shows it, this once. One dialog for both, so that focus goes back to where it was opened. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [made, setMade] = useState<{ name: string; token: string } | null>(null)
  const form = useTokenDraft(setMade)
  return (
    <Dialog
      isOpen
      // What is shown once does not go away by Escape or by a click beside it.
      onOpenChange={(isOpen) => !isOpen && made === null && onClose()}
      title={made ? `${made.name} is made` : 'New API token'}
      description={made ? 'Copy it to where it will be used.' : 'For the berth command or a program. It acts as you.'}
      footer={
        made ? (
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formId} kind="primary" isBusy={form.isMaking}>
              Make token
            </Button>
          </>
        )
      }
    >
      {made ? <TokenMade token={made.token} /> : <TokenForm id={formId} form={form} />}
    </Dialog>
  )
}

function TokenMade({ token }: { token: string }) {
  return (
    <>
      <CopyField value={token} label="the token" isMultiline className="mt-3" />
      <Banner icon={TriangleAlert} tone="warn" title="It is shown this once" className="mt-3 rounded-md">
        Only its hash is kept. Whoever has it acts as you until it ends or is revoked.
      </Banner>
    </>
  )
}

function TokenForm({ id, form }: { id: string; form: ReturnType<typeof useTokenDraft> }) {
  const { draft, set, errors, refused, make } = form
  return (
    <form
      id={id}
      noValidate
      className="mt-3 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        make(String(new FormData(event.currentTarget).get('password') ?? ''))
      }}
    >
      <Field label="Name" hint="What will use it, such as laptop-cli" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            onChange={(e) => set({ name: e.target.value })}
            maxLength={LIMITS.apiTokenNameChars}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <ScopeChoice scope={draft.scope} error={errors.scopes} onChange={(scope) => set({ scope })} />
      <Field label="Ends after" error={errors.days}>
        {(control) => (
          <Select
            {...control}
            value={String(draft.days)}
            onChange={(value) => set({ days: Number(value) })}
            options={DAYS.map((days) => ({ value: String(days), label: `${days} days` }))}
            className="w-40"
          />
        )}
      </Field>
      <PasswordField label="Your password" name="password" error={errors.password} />
      {refused ? <Refused title="The token was not made">{refused}</Refused> : null}
    </form>
  )
}

function ScopeChoice(props: { scope: Scope; error: string | undefined; onChange: (scope: Scope) => void }) {
  const { scope, error, onChange } = props
  return (
    <div>
      <p aria-hidden className="mb-1 font-medium">
        It may
      </p>
      <Segmented
        label="It may"
        value={scope}
        onChange={(value) => onChange(SCOPES.find((s) => s === value) ?? 'read')}
        options={SCOPES.map((known) => ({ value: known, label: scopeText([known]) }))}
      />
      <p className="mt-1 text-small text-ink-3">{error ?? SCOPE_HINT[scope]}</p>
    </div>
  )
}

type Draft = { name: string; scope: Scope; days: number }

/** The form as typed, checked by the schema of the API when it is sent. Each scope includes those before it. */
function useTokenDraft(onMade: (made: { name: string; token: string }) => void) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<Draft>({ name: '', scope: 'write', days: LIMITS.apiTokenDays })
  const [wrong, setWrong] = useState<string | null>(null)
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: ({ token }) => {
        void queryClient.invalidateQueries(trpc.tokens.list.queryFilter())
        onMade({ name: draft.name.trim(), token })
      },
    }),
  )
  const failure = create.error ? failureOf(create.error) : null
  const field = failure && fieldOf(failure)
  const make = (password: string) => {
    const name = apiTokenName.safeParse(draft.name)
    setWrong(name.success ? null : (name.error.issues[0]?.message ?? 'not a name'))
    const scopes = SCOPES.slice(0, SCOPES.indexOf(draft.scope) + 1)
    if (name.success) create.mutate({ name: name.data, scopes, days: draft.days, password })
  }
  const set = (patch: Partial<Draft>) => {
    create.reset()
    setWrong(null)
    setDraft({ ...draft, ...patch })
  }
  const errors: Partial<Record<string, string>> = {
    ...(field && { [field.field]: field.limit }),
    ...(wrong && { name: wrong }),
  }
  return { draft, set, errors, refused: failure && !field ? failure.text : null, isMaking: create.isPending, make }
}
