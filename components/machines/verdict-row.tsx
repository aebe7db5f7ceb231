import { CircleCheck, CircleMinus, type LucideIcon } from 'lucide-react'
import { CopyField } from '@/components/ui/copy-field'
import { Status } from '@/components/ui/status'

type Props = {
  icon: LucideIcon
  title: string
  detail: string
  isReady: boolean
  /** One or two words instead of Ready / Not yet. */
  word?: string
  /** What it means here, or what is missing. */
  text?: string | null
  /** The line that helps. */
  fix?: string | null
}

/** One thing that a machine can run, or why not and the line that helps. */
export function VerdictRow({ icon: Icon, title, detail, isReady, word, text, fix }: Props) {
  return (
    <li className="grid min-h-12 grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 last:border-b-0 md:grid-cols-[16px_minmax(0,1.25fr)_88px_minmax(0,1fr)]">
      <Icon className="size-4 text-ink-3" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0">
        <p className="truncate font-medium">{title}</p>
        <p className="line-clamp-2 text-small text-ink-3" title={detail}>
          {detail}
        </p>
      </div>
      <Status icon={isReady ? CircleCheck : CircleMinus} tone={isReady ? 'good' : 'ink-2'}>
        {word ?? (isReady ? 'Ready' : 'Not yet')}
      </Status>
      {text || fix ? (
        <div className="min-w-0 text-small text-ink-2 max-md:col-span-2 max-md:col-start-2">
          {text ? <p className="[overflow-wrap:anywhere]">{text}</p> : null}
          {fix ? <CopyField value={fix} label="the line that helps" isMultiline className="my-1" /> : null}
        </div>
      ) : null}
    </li>
  )
}
