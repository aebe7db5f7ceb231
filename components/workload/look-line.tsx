'use client'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Eye } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Moment } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'
import { lookChoices } from './look-choices'

type Props = { workload: WorkloadView; until: Date }

/** Until when what is left of a failed workload stays up, and how to look at it for longer. */
export function LookLine({ workload, until }: Props) {
  const trpc = useTRPC()
  const extend = useMutation(
    trpc.workloads.extendLook.mutationOptions({
      onSuccess: () => toast({ text: `${workload.name} is kept longer for a look`, icon: Eye }),
      onError: (error) => toast({ text: `It is not kept longer. ${failureOf(error).text}`, tone: 'bad' }),
    }),
  )
  const choices = workload.may.includes('workload.operate') ? lookChoices(workload, Date.now()) : []
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="flex items-start gap-2">
        <Eye className="mt-0.5 size-3.5 shrink-0 text-ink-3" aria-hidden />
        <span>
          What is left of it stays up for a look until <Moment at={until} shape="near" />, then its place is given back.
        </span>
      </p>
      {choices.length > 0 ? (
        <Menu
          align="start"
          trigger={
            <Button size="sm" isBusy={extend.isPending}>
              Keep it longer
              <ChevronDown className="size-3.5 shrink-0 text-ink-2" aria-hidden />
            </Button>
          }
        >
          {choices.map(({ minutes, label }) => (
            <MenuItem key={minutes} onSelect={() => extend.mutate({ id: workload.id, minutes })}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      ) : null}
    </div>
  )
}
