import { z } from 'zod'
import { followChanges } from '../follow-changes'
import { counted } from '../open-streams'
import { procedure, router } from '../trpc'

/** The client sends the id of the last message that it got; a browser that reconnects does so by itself. */
const since = z.strictObject({ lastEventId: z.string().max(20).nullish() })

export const live = router({
  changes: procedure('read')
    .input(since.optional())
    .subscription(({ ctx, input, signal }) =>
      counted(ctx.person.id, followChanges(ctx, { lastEventId: input?.lastEventId ?? null, signal })),
    ),
})
