'use client'
import { useMutation } from '@tanstack/react-query'
import { CircleParking, CirclePause, type LucideIcon, RotateCw, TimerReset, Trash2 } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'

export type Target = Pick<WorkloadView, 'id' | 'name'>
type Verb = { icon: LucideIcon; doing: string; done: string }

const VERBS = {
  keep: { icon: TimerReset, doing: 'Keeping', done: 'kept' },
  pause: { icon: CirclePause, doing: 'Pausing', done: 'paused' },
  park: { icon: CircleParking, doing: 'Parking', done: 'parked' },
  resume: { icon: RotateCw, doing: 'Resuming', done: 'resumed' },
  restart: { icon: RotateCw, doing: 'Restarting', done: 'restarted' },
  recover: { icon: RotateCw, doing: 'Recovering', done: 'recovered' },
  remove: { icon: Trash2, doing: 'Removing', done: 'removed' },
} as const satisfies Record<string, Verb>

/** What became of each of several targets, for a list: told where some of them were refused. */
export type Outcome = {
  done: readonly Target[]
  refused: readonly { target: Target; why: string }[]
  /** "parked" */
  verb: string
}

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
 * rows follow by themselves. `onPartly` is told each row's end when some of several were refused.
 */
export function useWorkloadActions(onPartly?: (outcome: Outcome) => void) {
  const { workloads } = useTRPC()
  const keep = useMutation(workloads.keep.mutationOptions())
  const pause = useMutation(workloads.pause.mutationOptions())
  const park = useMutation(workloads.park.mutationOptions())
  const resume = useMutation(workloads.resume.mutationOptions(waitForPark))
  const restart = useMutation(workloads.restart.mutationOptions())
  const recover = useMutation(workloads.recover.mutationOptions())
  const remove = useMutation(workloads.delete.mutationOptions())
  const run = (targets: readonly Target[], mutation: Call, how: How) =>
    act(targets, ({ id }) => mutation.mutateAsync({ id }), { ...how, onPartly })
  const resumeAll = (targets: readonly Target[]) => run(targets, resume, { verb: VERBS.resume })
  return {
    isBusy: [keep, pause, park, resume, restart, recover, remove].some((mutation) => mutation.isPending),
    keep: (targets: readonly Target[]) => run(targets, keep, { verb: VERBS.keep }),
    pause: (target: Target) => run([target], pause, { verb: VERBS.pause, undo: resumeAll }),
    park: (targets: readonly Target[]) => run(targets, park, { verb: VERBS.park, undo: resumeAll }),
    resume: (target: Target) => resumeAll([target]),
    resumeAll,
    restart: (target: Target) => run([target], restart, { verb: VERBS.restart }),
    recover: (target: Target) => run([target], recover, { verb: VERBS.recover }),
    remove: (targets: readonly Target[]) => run(targets, remove, { verb: VERBS.remove }),
  }
}

type Call = { mutateAsync: (input: { id: string }) => Promise<unknown> }
type How = {
  verb: Verb
  undo?: (targets: readonly Target[]) => Promise<boolean>
  onPartly?: ((outcome: Outcome) => void) | undefined
}

/** Does one thing to each target; what worked and what did not are told apart. */
async function act(targets: readonly Target[], call: (target: Target) => Promise<unknown>, how: How): Promise<boolean> {
  const { verb, undo, onPartly } = how
  const results = await Promise.allSettled(targets.map(call))
  const refused = targets.flatMap((target, i) => {
    const result = results[i]
    return result?.status === 'rejected' ? [{ target, why: failureOf(result.reason).text }] : []
  })
  const done = targets.filter((target) => !refused.some((one) => one.target === target))
  const [first] = refused
  // A list of each one's end says it all; a line over it would only hide it.
  if (first && targets.length > 1 && onPartly) {
    onPartly({ done, refused, verb: verb.done })
    return false
  }
  if (done.length > 0) {
    const action = undo && { label: 'Undo', onClick: () => void undo(done) }
    toast({ text: `${verb.doing} ${named(done)}`, icon: verb.icon, ...(action && { action }) })
  }
  if (first) {
    const words = `${named(refused.map((one) => one.target))} ${refused.length === 1 ? 'was' : 'were'} not ${verb.done}`
    toast({ text: `${words}. ${first.why}`, tone: 'bad' })
  }
  return refused.length === 0
}

function isUnderWay(error: unknown): boolean {
  const { code, args } = failureOf(error)
  return code === 'operation_in_flight' || (code === 'wrong_state' && args.state === 'parking')
}

function named(targets: readonly Target[]): string {
  const [only] = targets
  return targets.length === 1 && only ? only.name : `${targets.length} workloads`
}
