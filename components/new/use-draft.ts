'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { type Failure, failureOf, fieldOf } from '@/components/api/failure'
import { openTarget, workloadPath } from '@/components/frame/routes'
import type { Catalog } from '@/domain/catalog'
import type { Kind } from '@/domain/kinds'
import type { Workload } from '@/domain/workloads'
import type { Checked, checkDraft } from './check-draft'
import { splitCommand } from './command-line'
import { type Draft, defaultDraft, formField, specOf } from './draft'
import { RECENT } from './queries'

export type DraftForm = {
  draft: Draft
  /** What the form says now, by the schema of the API. */
  checked: Checked
  /** What is wrong, by field: what was typed first, then what the server refused. */
  errors: Record<string, string>
  failure: Failure | null
  isCreating: boolean
  set: (patch: Partial<Draft>) => void
  replace: (draft: Draft) => void
  setKind: (kind: Kind) => void
  create: () => void
}

/** The form for a new workload, filled by a link or with the last choice. What was typed stays after an error; the same content sent twice creates one. */
export function useDraft(catalog: Catalog, kind: Kind, filled: Draft | null): DraftForm {
  const trpc = useTRPC()
  const router = useRouter()
  const recent = useQuery(trpc.workloads.list.queryOptions(RECENT))
  const last = (k: Kind) => recent.data?.rows.find((w) => w.kind === k)
  const [draft, setDraft] = useState(() => filled ?? defaultDraft(catalog, kind, last(kind)))
  const [failure, setFailure] = useState<Failure | null>(null)
  const keyOf = useIdempotencyKey()
  const mutation = useMutation(trpc.workloads.create.mutationOptions())
  const { check, load } = useChecker()
  const checked = check(draft)

  const replace = (next: Draft) => {
    load()
    setDraft(next)
    setFailure(null)
  }
  const create = () => {
    if (!checked.spec || mutation.isPending) return
    const { spec, settings } = checked
    const input = { kind: draft.kind, name: draft.name.trim(), spec, settings }
    mutation.mutate(
      { ...input, idempotencyKey: keyOf(input) },
      { onSuccess: (workload) => router.push(afterCreate(workload)), onError: (error) => setFailure(failureOf(error)) },
    )
  }
  return {
    draft,
    checked,
    errors: { ...fieldErrors(failure), ...checked.errors },
    failure,
    isCreating: mutation.isPending || mutation.isSuccess,
    set: (patch) => replace({ ...draft, ...patch }),
    replace,
    setKind: (next) => replace({ ...defaultDraft(catalog, next, last(next)), name: draft.name }),
    create,
  }
}

/** The schemas are fetched with the first change: what nobody typed needs no check but the server's. */
function useChecker(): { check: (draft: Draft) => Checked; load: () => void } {
  const [check, setCheck] = useState<typeof checkDraft>(() => unchecked)
  const load = () => {
    if (check !== unchecked) return
    import('./check-draft')
      .then((module) => setCheck(() => module.checkDraft))
      .catch(() => {
        // Not fetched: the server checks the same when it is sent.
      })
  }
  return { check, load }
}

function unchecked(draft: Draft): Checked {
  const spec = specOf(draft)
  return spec
    ? { spec, settings: draft.settings, errors: null }
    : { spec: null, errors: { command: splitCommand(draft.command).error ?? 'not a command' } }
}

/** A session is looked at in its terminal from the start; anything else on its own page, which shows it start. */
function afterCreate(workload: Workload): string {
  return workload.kind === 'session' ? openTarget(workload).href : workloadPath(workload.id)
}

/** The server names `spec.cpus`; the form calls it `cpus`. */
function fieldErrors(failure: Failure | null): Record<string, string> {
  const wrong = failure && fieldOf(failure)
  return wrong ? { [formField(wrong.field)]: wrong.limit } : {}
}

/** One key for one content: a second click after a lost answer joins the first, and a changed form is a new request. */
function useIdempotencyKey(): (content: unknown) => string {
  const sent = useRef({ content: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (sent.current.content !== text) sent.current = { content: text, key: crypto.randomUUID() }
    return sent.current.key
  }
}
