'use client'
import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLiveStatus } from '@/components/api/live'
import { NoticeBar } from '@/components/ui/notice-bar'

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
    <NoticeBar icon={Unplug} title="Berth does not answer.">
      What you see is from before. What runs on your machines goes on, and this page follows again by itself.
    </NoticeBar>
  )
}
