import { KIND_ICON } from '@/components/frame/state-look'
import { cn } from '@/components/ui/cn'
import { KINDS, type Kind } from '@/domain/kinds'

/** A kind with its icon. */
export function KindLabel({ kind, className }: { kind: Kind; className?: string }) {
  const Icon = KIND_ICON[kind]
  return (
    <span className={cn('flex w-fit items-center gap-1.5 whitespace-nowrap text-ink-2', className)}>
      <Icon className="size-3.5 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      {KINDS[kind].label}
    </span>
  )
}
