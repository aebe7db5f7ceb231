import { cn } from '@/components/ui/cn'

/** The mark: a berth with what lies in it. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg className={cn('size-5 shrink-0 text-accent', className)} viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M3 3v10.5A3.5 3.5 0 0 0 6.5 17h7a3.5 3.5 0 0 0 3.5-3.5V3"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.25"
        strokeLinecap="round"
      />
      <rect x="7.5" y="3" width="5" height="9.5" rx="1.5" fill="currentColor" />
    </svg>
  )
}
