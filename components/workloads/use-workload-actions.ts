'use client'
import { useMutation } from '@tanstack/react-query'
import { CircleParking, RotateCw, Trash2 } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'

type Target = Pick<WorkloadView, 'id' | 'name'>

/** A resume that was asked while the park is still under way waits for it, this long at most. */
const WAIT_TRIES = 60
const WAIT_MS = 1000

/** What the buttons of a workload do. Each says what it began, and what went wrong; the rows follow by themselves. */
export function useWorkloadActions() {
  const trpc = useTRPC()
  const park = useMutation(trpc.workloads.park.mutationOptions())
  const waiting = { retry: (tries: number, error: unknown) => tries < WAIT_TRIES && isUnderWay(error), retryDelay: WAIT_MS }
  const resume = useMutation(trpc.workloads.resume.mutationOptions(waiting))
  const restart = useMutation(trpc.workloads.restart.mutationOptions())
  const recover = useMutation(trpc.workloads.recover.mutationOptions())
  const remove = useMutation(trpc.workloads.delete.mutationOptions())

  const resumeOne = (target: Target) =>
    run(resume.mutateAsync({ id: target.id }), {
      icon: RotateCw,
      text: `Resuming ${target.name}`,
      failed: `${target.name} was not resumed`,
    })
  const parkAll = (targets: readonly Target[]) =>
    run(Promise.all(targets.map((target) => park.mutateAsync({ id: target.id }))), {
      icon: CircleParking,
      text: `Parking ${named(targets)}`,
      failed: `${named(targets)} ${targets.length === 1 ? 'was' : 'were'} not parked`,
      undo: () => Promise.all(targets.map(resumeOne)),
    })
  return {
    isBusy: park.isPending || resume.isPending || restart.isPending || recover.isPending || remove.isPending,
    park: parkAll,
    resume: resumeOne,
    restart: (target: Target) =>
      run(restart.mutateAsync({ id: target.id }), {
        icon: RotateCw,
        text: `Restarting ${target.name}`,
        failed: `${target.name} was not restarted`,
      }),
    recover: (target: Target) =>
      run(recover.mutateAsync({ id: target.id }), {
        icon: RotateCw,
        text: `Recovering ${target.name}`,
        failed: `${target.name} was not recovered`,
      }),
    /** A running session whose process ended: stopped, then started again in the same workspace. */
    startAfresh: (target: Target) =>
      run(
        park.mutateAsync({ id: target.id }).then(() => resume.mutateAsync({ id: target.id })),
        { icon: RotateCw, text: `${target.name} starts again`, failed: `${target.name} was not restarted` },
      ),
    remove: (targets: readonly Target[]) =>
      run(Promise.all(targets.map((target) => remove.mutateAsync({ id: target.id }))), {
        icon: Trash2,
        text: `Removing ${named(targets)}`,
        failed: `${named(targets)} ${targets.length === 1 ? 'was' : 'were'} not removed`,
      }),
  }
}

type Words = { icon: typeof RotateCw; text: string; failed: string; undo?: () => Promise<unknown> }

async function run(work: Promise<unknown>, words: Words): Promise<boolean> {
  try {
    await work
  } catch (error) {
    toast({ text: `${words.failed}. ${failureOf(error).text}`, tone: 'bad' })
    return false
  }
  const { undo } = words
  toast({ text: words.text, icon: words.icon, ...(undo && { action: { label: 'Undo', onClick: () => void undo() } }) })
  return true
}

function isUnderWay(error: unknown): boolean {
  const { code, args } = failureOf(error)
  return code === 'operation_in_flight' || (code === 'wrong_state' && args.state === 'parking')
}

function named(targets: readonly Target[]): string {
  const [only] = targets
  return targets.length === 1 && only ? only.name : `${targets.length} workloads`
}
