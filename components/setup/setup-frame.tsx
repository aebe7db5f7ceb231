import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Logo } from '@/components/frame/logo'
import { cn } from '@/components/ui/cn'

const STEPS = ['Account', 'This machine', 'First workload'] as const

type Props = { step: 1 | 2 | 3 | null; version: string; children: ReactNode }

/** The frame of the set-up: the mark, how far it is (`step`; null: it is over), the version. */
export function SetupFrame({ step, version, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 shrink-0 items-center justify-between gap-4 border-b border-line px-8 max-md:px-4">
        <span className="flex items-center gap-2.5 text-lead font-semibold tracking-tight">
          <Logo />
          Berth
        </span>
        {step === null ? null : (
          <ol className="flex items-center gap-3" aria-label="Steps">
            {STEPS.map((title, i) => (
              <Step key={title} title={title} number={i + 1} step={step} />
            ))}
          </ol>
        )}
        <span className="text-small text-ink-3 max-sm:hidden">
          Setup, <span className="num">{version}</span>
        </span>
      </header>
      {children}
    </div>
  )
}

function Step({ title, number, step }: { title: string; number: number; step: number }) {
  const isCurrent = number === step
  return (
    <>
      {number > 1 ? <li aria-hidden className="h-px w-6 bg-line-2 max-md:w-3" /> : null}
      <li
        aria-current={isCurrent ? 'step' : undefined}
        className={cn('flex items-center gap-2 text-small', isCurrent ? 'font-medium text-ink' : 'text-ink-3')}
      >
        {number < step ? (
          <CircleCheck className="size-4 shrink-0 text-good" aria-label="done" />
        ) : (
          <span
            className={cn(
              'num inline-flex size-4 items-center justify-center rounded-full border text-[10px] leading-none',
              isCurrent ? 'border-accent text-accent-ink' : 'border-mark',
            )}
          >
            {number}
          </span>
        )}
        <span className={cn(!isCurrent && 'max-md:sr-only')}>{title}</span>
      </li>
    </>
  )
}
