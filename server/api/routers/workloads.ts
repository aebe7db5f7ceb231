import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { KIND_NAMES } from '@/domain/kinds'
import { workloadName } from '@/domain/names'
import { PURPOSES } from '@/domain/tickets'
import { createWorkloadInput, listWorkloadsInput, workloadSpec } from '@/domain/workloads'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, recoverWorkload, renameWorkload, restartWorkload, resumeWorkload } from '@/server/service/operations'
import { mintTicket } from '@/server/service/tickets'
import { whyWaiting, fit as wouldFit } from '@/server/service/why'
import { countWorkloads, createWorkload, getWorkload, listEvents, listWorkloads } from '@/server/service/workloads'
import { procedure, router } from '../trpc'

const byId = z.strictObject({ id: rowId })
/** SHA-256 in hex, of the nonce that a workload's host keeps in a cookie. */
const nonceHash = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal characters')
/** `direction` comes with every page of an endless list; there is only one. */
const listInput = listWorkloadsInput.extend({ direction: z.literal('forward').optional() })

export const workloads = router({
  create: procedure('write')
    .input(createWorkloadInput)
    .mutation(({ ctx, input }) => createWorkload(ctx, input)),
  get: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => getWorkload(ctx, input.id)),
  list: procedure('read')
    .input(listInput)
    .query(({ ctx, input }) => listWorkloads(ctx, input)),
  counts: procedure('read').query(({ ctx }) => countWorkloads(ctx)),
  events: procedure('read')
    .input(byId.extend({ afterSeq: z.int().min(0).optional() }))
    .query(({ ctx, input }) => listEvents(ctx, input)),
  why: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => whyWaiting(ctx, input.id)),
  fit: procedure('read')
    .input(z.strictObject({ kind: z.enum(KIND_NAMES), spec: workloadSpec }))
    .query(({ ctx, input }) => wouldFit(ctx, input)),
  park: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => parkWorkload(ctx, input.id)),
  resume: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => resumeWorkload(ctx, input.id)),
  restart: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => restartWorkload(ctx, input.id)),
  recover: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => recoverWorkload(ctx, input.id)),
  delete: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => deleteWorkload(ctx, input.id)),
  rename: procedure('write')
    .input(byId.extend({ name: workloadName }))
    .mutation(({ ctx, input }) => renameWorkload(ctx, input.id, input.name)),
  ticket: procedure('write')
    .input(z.strictObject({ workloadId: rowId, purpose: z.enum(PURPOSES), nonceHash: nonceHash.optional() }))
    .mutation(({ ctx, input }) => mintTicket(ctx, input)),
})
