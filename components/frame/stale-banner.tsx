'use client'
import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLiveStatus } from '@/components/api/live'

/** A connection that is back within this time is not worth a line that moves the page. */
const BRIEF_MS = 3000

/** Berth does not answer: what is shown is from before. Its code is loaded with the page, for then nothing can be. */
export function StaleBanner() {
  return useLiveStatus() === 'reconnecting' ? <Stale /> : null
}

function Stale() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), BRIEF_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLong) return null
  return (
    <div role="status" className="flex shrink-0 items-center gap-3 border-b border-line bg-warn-soft px-4 py-2">
      <Unplug className="size-4 shrink-0 text-warn" strokeWidth={1.75} aria-hidden />
      <p className="text-ink-2">
        <span className="font-medium text-warn">Berth does not answer.</span> What you see is from before. What runs on your
        machines goes on, and this page follows again by itself.
      </p>
    </div>
  )
}
