import { KIND_ICON } from '@/components/frame/state-look'
import { cn } from '@/components/ui/cn'
import { takeEarly } from '@/components/ui/take-early'
import { KINDS, type Kind } from '@/domain/kinds'

const DETAIL: Record<Kind, string> = {
  notebook: 'JupyterLab, workspace kept',
  endpoint: 'One model, OpenAI-shaped API',
  session: 'Sandboxed terminal for an agent',
}

type Props = { value: Kind; kinds: readonly Kind[]; onChange: (kind: Kind) => void }

/** What to create. Only kinds for which the catalog has a runtime. */
export function KindPicker({ value, kinds, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Kind</legend>
      <div className="grid auto-cols-fr gap-3 sm:grid-flow-col">
        {kinds.map((kind) => {
          const Icon = KIND_ICON[kind]
          const isChosen = kind === value
          return (
            <label
              key={kind}
              className={cn(
                'flex items-start gap-3 rounded-md border px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                isChosen ? 'border-accent bg-accent-soft outline-1 outline-accent' : 'border-line-2 bg-surface hover:bg-hover',
              )}
            >
              <input
                ref={takeEarly}
                type="radio"
                name="kind"
                className="sr-only"
                checked={isChosen}
                onChange={() => onChange(kind)}
              />
              <Icon
                className={cn('mt-0.5 size-4 shrink-0', isChosen ? 'text-accent-ink' : 'text-ink-3')}
                strokeWidth={1.75}
                aria-hidden
              />
              <span className="min-w-0">
                <span className="block font-medium">{KINDS[kind].label}</span>
                <span className={cn('block text-small', isChosen ? 'text-ink-2' : 'text-ink-3')}>{DETAIL[kind]}</span>
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
