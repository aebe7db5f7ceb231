'use client'
import { ShieldAlert } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'

const Leave = dynamic(() => import('./quarantine-dialog').then((m) => m.QuarantineDialog), { ssr: false })

/** What quarantine means, and for an operator the way out of it. */
export function QuarantineNotice({ isOperator }: { isOperator: boolean }) {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warn-soft px-6 py-2 max-md:px-4"
    >
      <ShieldAlert className="size-4 shrink-0 text-warn" strokeWidth={1.75} aria-hidden />
      <p className="min-w-0 flex-1 basis-60">
        <span className="font-semibold text-warn">Quarantine.</span>{' '}
        <span className="text-ink-2">This database was restored. What runs goes on; nothing is started or ended.</span>
      </p>
      <Link href="/machines" className="link text-small">
        Look at the machines
      </Link>
      {isOperator ? (
        <Button size="sm" onClick={() => setLeaving(true)}>
          Leave quarantine…
        </Button>
      ) : null}
      {isLeaving ? <Leave onClose={() => setLeaving(false)} /> : null}
    </div>
  )
}
