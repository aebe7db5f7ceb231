'use client'
import { CircleCheck } from 'lucide-react'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import { TONE_TEXT } from '@/components/ui/tone'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { Need, NeedAction } from './needs'

/** What waits for the person, each row with the one action that goes on. */
export function NeedsPanel({ needs }: { needs: readonly Need[] }) {
  return (
    <Panel aria-label="Needs you">
      <PanelHead title="Needs you" meta={needs.length > 0 ? needs.length : null} />
      {needs.length === 0 ? (
        <p className="flex h-12 items-center gap-3 px-4 text-ink-2">
          <CircleCheck className="size-4 shrink-0 text-good" strokeWidth={1.75} aria-hidden />
          Nothing waits for you.
        </p>
      ) : null}
      <ul>
        {needs.map((need) => (
          <NeedRow key={need.key} need={need} />
        ))}
      </ul>
    </Panel>
  )
}

function NeedRow({ need }: { need: Need }) {
  const Icon = need.icon
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1 last:border-b-0 max-md:py-3">
      <Icon
        className={`size-4 shrink-0 max-md:mt-0.5 max-md:self-start ${TONE_TEXT[need.tone]}`}
        strokeWidth={1.75}
        aria-hidden
      />
      <div className="min-w-0 flex-1">
        <p className="md:truncate">
          <span className="font-medium">{need.subject}</span> <span className="text-ink-2">{need.what}</span>
        </p>
        <p className="text-small text-ink-3 md:truncate" title={need.detail}>
          {need.detail}
        </p>
      </div>
      {need.since ? <Age at={need.since} className="w-14 text-right text-small text-ink-3 tabular-nums max-md:hidden" /> : null}
      <div className="flex min-w-20 shrink-0 justify-end gap-2">
        {need.actions.map((action, i) => (
          <Action
            key={action.label}
            action={action}
            subject={need.subject}
            className={i < need.actions.length - 1 ? 'max-md:hidden' : 'max-md:min-w-17'}
          />
        ))}
      </div>
    </li>
  )
}

function Action({ action, subject, className }: { action: NeedAction; subject: string; className: string }) {
  const label = `${action.label}: ${subject}`
  if ('href' in action) {
    return (
      <Link href={action.href} className={buttonClass({ size: 'xs' }, className)} aria-label={label}>
        {action.label}
      </Link>
    )
  }
  return <ActButton action={action} label={label} className={className} />
}

type ActProps = { action: Extract<NeedAction, { act: string }>; label: string; className: string }

function ActButton({ action, label, className }: ActProps) {
  const { isBusy, keep, park } = useWorkloadActions()
  const { act, target } = action
  return (
    <Button
      size="xs"
      className={className}
      aria-label={label}
      isBusy={isBusy}
      onClick={() => void (act === 'keep' ? keep([target]) : park([target]))}
    >
      {action.label}
    </Button>
  )
}
