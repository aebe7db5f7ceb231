'use client'
import { RotateCw } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { NoticeBar } from '@/components/ui/notice-bar'
import { availability } from '@/components/workloads/actions'
import type { WorkloadView } from '@/domain/views'

const RenewDialog = dynamic(() => import('./renew-dialog').then((m) => m.RenewDialog), { ssr: false })

type Props = { workload: WorkloadView; className?: string | undefined }

/** It was started by a version of Berth that is too old to look after it in full: how to bring it up to date. */
export function OutdatedBanner({ workload, className }: Props) {
  const [isAsking, setAsking] = useState(false)
  const canRenew = availability('renew', workload).can
  return (
    <>
      <NoticeBar
        icon={RotateCw}
        label="Needs a restart"
        title="Started by an older version of Berth."
        actions={
          canRenew ? (
            <Button size="sm" onClick={() => setAsking(true)}>
              Restart…
            </Button>
          ) : null
        }
        {...(className && { className })}
      >
        It goes on as it is; a restart, when it suits, brings it up to date.
      </NoticeBar>
      {isAsking ? <RenewDialog workload={workload} onClose={() => setAsking(false)} /> : null}
    </>
  )
}
