'use client'
import { useMutation } from '@tanstack/react-query'
import { CircleParking, type LucideIcon, RotateCw, Trash2 } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'

type Target = Pick<WorkloadView, 'id' | 'name'>
type Verb = { icon: LucideIcon; doing: string; done: string }

const VERBS = {
  park: { icon: CircleParking, doing: 'Parking', done: 'parked' },
  resume: { icon: RotateCw, doing: 'Resuming', done: 'resumed' },
  restart: { icon: RotateCw, doing: 'Restarting', done: 'restarted' },
  recover: { icon: RotateCw, doing: 'Recovering', done: 'recovered' },
  remove: { icon: Trash2, doing: 'Removing', done: 'removed' },
} as const satisfies Record<string, Verb>

/** A resume that was asked while the park is still under way waits for it, this long at most. */
const WAIT_TRIES = 60
const WAIT_MS = 1000
const waitForPark = {
  retry: (tries: number, error: unknown) => tries < WAIT_TRIES && isUnderWay(error),
  retryDelay: WAIT_MS,
}

export type WorkloadActions = ReturnType<typeof useWorkloadActions>

/**
 * What the buttons of a workload do; true when all of it was accepted. Each says what it began, and what went wrong; the
 * rows follow by themselves.
 */
export function useWorkloadActions() {
  const { workloads } = useTRPC()
  const park = useMutation(workloads.park.mutationOptions())
  const resume = useMutation(workloads.resume.mutationOptions(waitForPark))
  const restart = useMutation(workloads.restart.mutationOptions())
  const recover = useMutation(workloads.recover.mutationOptions())
  const remove = useMutation(workloads.delete.mutationOptions())
  const again = (target: Target) => park.mutateAsync({ id: target.id }).then(() => resume.mutateAsync({ id: target.id }))
  const resumeAll = (targets: readonly Target[]) =>
    act(targets, (target) => resume.mutateAsync({ id: target.id }), { verb: VERBS.resume })
  return {
    isBusy: [park, resume, restart, recover, remove].some((mutation) => mutation.isPending),
    park: (targets: readonly Target[]) =>
      act(targets, (target) => park.mutateAsync({ id: target.id }), { verb: VERBS.park, undo: resumeAll }),
    resume: (target: Target) => resumeAll([target]),
    restart: (target: Target) => act([target], ({ id }) => restart.mutateAsync({ id }), { verb: VERBS.restart }),
    recover: (target: Target) => act([target], ({ id }) => recover.mutateAsync({ id }), { verb: VERBS.recover }),
    /** A running session whose process ended: stopped, then started again in the same workspace. */
    startAfresh: (target: Target) => act([target], again, { verb: VERBS.restart }),
    remove: (targets: readonly Target[]) =>
      act(targets, (target) => remove.mutateAsync({ id: target.id }), { verb: VERBS.remove }),
  }
}

type How = { verb: Verb; undo?: (targets: readonly Target[]) => Promise<boolean> }

/** Does one thing to each target; what worked and what did not are told apart. */
async function act(
  targets: readonly Target[],
  call: (target: Target) => Promise<unknown>,
  { verb, undo }: How,
): Promise<boolean> {
  const results = await Promise.allSettled(targets.map(call))
  const done = targets.filter((_, i) => results[i]?.status === 'fulfilled')
  const failed = targets.filter((target) => !done.includes(target))
  const error = results.find((result) => result.status === 'rejected')?.reason
  if (done.length > 0) {
    const action = undo && { label: 'Undo', onClick: () => void undo(done) }
    toast({ text: `${verb.doing} ${named(done)}`, icon: verb.icon, ...(action && { action }) })
  }
  if (failed.length > 0) {
    const words = `${named(failed)} ${failed.length === 1 ? 'was' : 'were'} not ${verb.done}`
    toast({ text: `${words}. ${failureOf(error).text}`, tone: 'bad' })
  }
  return failed.length === 0
}

function isUnderWay(error: unknown): boolean {
  const { code, args } = failureOf(error)
  return code === 'operation_in_flight' || (code === 'wrong_state' && args.state === 'parking')
}

function named(targets: readonly Target[]): string {
  const [only] = targets
  return targets.length === 1 && only ? only.name : `${targets.length} workloads`
}
