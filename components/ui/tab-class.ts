import { cn } from './cn'

/** The classes of one tab, also for links and buttons that are tabs. */
export function tabClass(isCurrent: boolean): string {
  return cn(
    '-mb-px inline-flex h-9 items-center gap-1.5 border-b-2 font-medium whitespace-nowrap max-md:h-11',
    isCurrent ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
  )
}
