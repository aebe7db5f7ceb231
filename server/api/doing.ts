import { z } from 'zod'
import { ACTIONS, type Action } from '@/domain/permissions'
import { PURPOSE_ACTIONS, PURPOSES, type Purpose } from '@/domain/tickets'

const asked = z.object({ purpose: z.enum(PURPOSES) })

/** What a call would do, in the words of the table of permissions; `do this` for what that table does not know. */
export async function doing(path: string, rawInput: () => Promise<unknown>): Promise<string> {
  if (path === TICKET) {
    const { data } = asked.safeParse(await rawInput())
    return data ? (READS[data.purpose] ?? ACTIONS[PURPOSE_ACTIONS[data.purpose]]) : 'do this'
  }
  const action = OPERATIONS[path]
  return action ? ACTIONS[action] : 'do this'
}

const TICKET = 'workloads.ticket'
/** What was printed: a session's is its record. */
const READS: Partial<Record<Purpose, string>> = { logs: 'read its logs', record: 'read its logs or record' }
const OPERATIONS: Readonly<Record<string, Action>> = {
  'workloads.open': 'workload.open',
  'workloads.pause': 'workload.operate',
  'workloads.park': 'workload.operate',
  'workloads.resume': 'workload.operate',
  'workloads.restart': 'workload.operate',
  'workloads.recover': 'workload.operate',
  'workloads.keep': 'workload.operate',
  'workloads.rename': 'workload.settings',
  'workloads.setSettings': 'workload.settings',
  'workloads.extendLook': 'workload.settings',
  'workloads.setRequirements': 'workload.packages',
  'workloads.delete': 'workload.delete',
  'shares.set': 'workload.share',
  'shares.remove': 'workload.share',
}
