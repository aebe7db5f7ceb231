'use client'
import { useQuery } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTRPC } from '@/components/api/client'

const Notice = dynamic(() => import('@/components/ui/notice-bar').then((m) => m.NoticeBar), { ssr: false })
const LOOK_MS = 60_000

/** Berth's own disk is full: what still works, and what helps. On every page. */
export function StorageBanner() {
  const { data } = useQuery(useTRPC().system.info.queryOptions(undefined, { refetchInterval: LOOK_MS }))
  if (!data?.isStorageFull) return null
  return (
    <Notice icon={HardDrive} tone="bad" title="The disk of Berth is full.">
      Nothing new is taken on. Stopping, deleting and taking access away still work. Make room on it: the rest goes on by itself.
    </Notice>
  )
}
