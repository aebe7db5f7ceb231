'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { openTarget, workloadPath } from '@/components/frame/routes'
import { KIND_ICON } from '@/components/frame/state-look'
import { defaultDraft, specOf } from '@/components/new/draft'
import { Button } from '@/components/ui/button'
import { bytesText } from '@/components/ui/bytes'
import type { Catalog } from '@/domain/catalog'

const WORDS = {
  notebook: { title: 'Open a notebook', detail: 'Files and kernel stay when you close the tab' },
  session: { title: 'Start a session', detail: 'A terminal that survives a closed lid' },
} as const

type Props = { kind: keyof typeof WORDS; catalog: Catalog; isPrimary: boolean; isReady: boolean }

/** One click to the first workload, with the catalog's defaults. */
export function StartCard({ kind, catalog, isPrimary, isReady }: Props) {
  const router = useRouter()
  // A second click that comes before the button is busy joins the first.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const create = useMutation(useTRPC().workloads.create.mutationOptions())
  const draft = defaultDraft(catalog, kind)
  const spec = specOf(draft)
  const runtime = catalog.runtimes.find((r) => r.id === draft.runtime)
  const { title, detail } = WORDS[kind]
  const Icon = KIND_ICON[kind]
  if (!spec || !runtime) return null
  const start = () =>
    create.mutate(
      { kind, name: '', spec, idempotencyKey },
      { onSuccess: (w) => router.push(kind === 'session' ? openTarget(w).href : workloadPath(w.id)) },
    )
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line-2 bg-surface px-4 py-3.5">
      <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-md border border-line bg-sunken text-accent-ink">
        <Icon className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-small text-ink-2">
          {runtime.title} on {spec.cpus} CPU and {bytesText(spec.memoryBytes)}
        </p>
        {create.isError ? (
          <p role="alert" className="text-small text-bad">
            {failureOf(create.error).text}
          </p>
        ) : (
          <p className="text-small text-ink-3">{isReady ? detail : 'This machine cannot run it yet: see above'}</p>
        )}
      </div>
      <Button
        kind={isPrimary ? 'primary' : 'secondary'}
        onClick={start}
        isBusy={create.isPending || create.isSuccess}
        disabled={!isReady}
        className="max-md:w-full"
      >
        {title}
      </Button>
    </article>
  )
}
