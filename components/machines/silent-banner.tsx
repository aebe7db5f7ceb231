'use client'
import { Unplug } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Banner } from '@/components/ui/banner'
import { Button } from '@/components/ui/button'
import { useTicking } from '@/components/ui/time'
import type { MachineView } from '@/domain/views'
import { silentWords } from './silent-words'

const GoneDialog = dynamic(() => import('./gone-dialog').then((m) => m.GoneDialog), { ssr: false })

type Props = {
  machine: MachineView
  /** How many workloads are known to be there. */
  here: number
  canChange: boolean
  className?: string
}

/** A machine that does not answer: what that means, and the way out when it never will again. */
export function SilentBanner({ machine, here, canChange, className }: Props) {
  const [isAsking, setAsking] = useState(false)
  const title = useTicking((nowMs) => silentWords(machine, nowMs)?.title ?? '')
  const words = silentWords(machine, Date.now())
  if (title === '' || !words) return null
  return (
    <Banner icon={Unplug} tone="warn" title={<span suppressHydrationWarning>{title}</span>} {...(className && { className })}>
      <p>{words.text}</p>
      {canChange && words.canGiveUp ? (
        <Button size="sm" kind="danger" className="mt-2" onClick={() => setAsking(true)}>
          It is gone for good…
        </Button>
      ) : null}
      {isAsking ? <GoneDialog machine={machine} here={here} onClose={() => setAsking(false)} /> : null}
    </Banner>
  )
}
