import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { KIND_NAMES } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { lookMinutes } from '@/domain/look'
import { workloadName } from '@/domain/names'
import { addresses } from '@/domain/settings'
import { PURPOSES } from '@/domain/tickets'
import { createWorkloadInput, listWorkloadsInput, requirements, workloadSettings, workloadSpec } from '@/domain/workloads'
import { deleteWorkload } from '@/server/service/deletion'
import { exportWorkload } from '@/server/service/exporting'
import { extendLook } from '@/server/service/looking'
import { openUrl } from '@/server/service/opening'
import {
  parkWorkload,
  pauseWorkload,
  recoverWorkload,
  renameWorkload,
  restartWorkload,
  resumeWorkload,
} from '@/server/service/operations'
import { setRequirements } from '@/server/service/packages'
import { keepWorkload, setSettings } from '@/server/service/settings'
import { listStarts } from '@/server/service/starts'
import { mintTicket } from '@/server/service/tickets'
import { whyWaiting, fit as wouldFit } from '@/server/service/why'
import { latestUse, workloadUse } from '@/server/service/workload-use'
import { countWorkloads, createWorkload, getWorkload, listEvents, listWorkloads } from '@/server/service/workloads'
import { counted } from '../open-streams'
import { procedure, router } from '../trpc'
import { watchWorkload } from '../watch-workload'

const byId = z.strictObject({ id: rowId })
/** SHA-256 in hex, of the nonce that a workload's host keeps in a cookie. */
const nonceHash = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal characters')
/** Neither: the newest page. */
const eventsInput = byId.extend({
  afterSeq: z.int().min(0).optional(),
  beforeSeq: z.int().min(1).optional(),
  limit: z.int().min(1).max(LIMITS.listMax).optional(),
})
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
    .input(eventsInput)
    .query(({ ctx, input }) => listEvents(ctx, input)),
  starts: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => listStarts(ctx, input.id)),
  watch: procedure('read')
    .input(byId)
    .subscription(({ ctx, input, signal }) => counted(ctx.person.id, watchWorkload(ctx, { id: input.id, signal }))),
  use: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => workloadUse(ctx, input.id)),
  latestUse: procedure('read')
    .input(z.strictObject({ ids: z.array(rowId).min(1).max(LIMITS.listMax, `at most ${LIMITS.listMax}`) }))
    .query(({ ctx, input }) => latestUse(ctx, input.ids)),
  open: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => openUrl(ctx, input.id, addresses(ctx.runtime.port))),
  export: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => exportWorkload(ctx, input.id)),
  why: procedure('read')
    .input(byId)
    .query(({ ctx, input }) => whyWaiting(ctx, input.id)),
  fit: procedure('read')
    .input(z.strictObject({ kind: z.enum(KIND_NAMES), spec: workloadSpec }))
    .query(({ ctx, input }) => wouldFit(ctx, input)),
  pause: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => pauseWorkload(ctx, input.id)),
  park: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => parkWorkload(ctx, input.id)),
  resume: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => resumeWorkload(ctx, input.id)),
  extendLook: procedure('write')
    .input(byId.extend({ minutes: lookMinutes }))
    .mutation(({ ctx, input }) => extendLook(ctx, input.id, input.minutes)),
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
  keep: procedure('write')
    .input(byId)
    .mutation(({ ctx, input }) => keepWorkload(ctx, input.id)),
  setSettings: procedure('write')
    .input(byId.extend({ settings: workloadSettings }))
    .mutation(({ ctx, input }) => setSettings(ctx, input.id, input.settings)),
  setRequirements: procedure('write')
    .input(byId.extend({ requirements }))
    .mutation(({ ctx, input }) => setRequirements(ctx, input.id, input.requirements)),
  ticket: procedure('write')
    .input(z.strictObject({ workloadId: rowId, purpose: z.enum(PURPOSES), nonceHash: nonceHash.optional() }))
    .mutation(({ ctx, input }) => mintTicket(ctx, input)),
})
