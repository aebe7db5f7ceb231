'use client'
import { useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'

const Leave = dynamic(() => import('./quarantine-dialog').then((m) => m.QuarantineDialog), { ssr: false })

/** The database was restored: nothing starts or ends until an operator has looked. On every page. */
export function QuarantineBanner({ isOperator }: { isOperator: boolean }) {
  const { data } = useQuery(useTRPC().system.info.queryOptions())
  const [isLeaving, setLeaving] = useState(false)
  if (!data?.isQuarantined) return null
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
