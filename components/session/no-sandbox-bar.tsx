'use client'
import { useQuery } from '@tanstack/react-query'
import { ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { sandboxFix } from '@/components/machines/isolation-words'
import { CopyText } from '@/components/ui/copy-field'
import { NoticeBar } from '@/components/ui/notice-bar'

/** The programs of this session run without isolation: what that means, and the line that helps. */
export function NoSandboxBar({ machineId }: { machineId: string }) {
  const machines = useQuery(useTRPC().machines.list.queryOptions())
  const [isDismissed, setDismissed] = useState(false)
  if (isDismissed) return null
  const machine = machines.data?.find(({ id }) => id === machineId)
  const fix = machine?.inventory ? sandboxFix(machine.inventory) : null
  return (
    <NoticeBar
      icon={ShieldOff}
      title={`${machine?.name ?? 'Its machine'} has no sandbox.`}
      actions={fix ? <CopyText value={fix} label="the line that brings a sandbox" /> : null}
      onDismiss={() => setDismissed(true)}
    >
      Programs here can read everything that Berth stores.{fix ? ' To install one:' : null}
    </NoticeBar>
  )
}
