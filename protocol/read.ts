import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'

/** What a machine keeps of a workload: its terminal's record, its server's output, the output of its environment's build. */
const READ_SOURCES = ['terminal', 'output', 'build'] as const
export type ReadSource = (typeof READ_SOURCES)[number]

const placement = rowId.nullable()

/** `POST /v1/read`, controller → agent, over the tunnel; also of a parked workload. The answer's body is the bytes. */
export const readAsk = z.strictObject({
  workloadId: rowId,
  /** Null: the newest that the machine keeps. */
  placementId: placement,
  source: z.enum(READ_SOURCES),
  /** `asciicast`: the terminal's record as asciicast v2, made where the times are. */
  format: z.enum(['raw', 'asciicast']),
  /** Only the last so many bytes; null: from the first that is kept. */
  tailBytes: z.int().min(1).nullable(),
  /** Goes on with what is printed until its process ends or the reader leaves. */
  isFollowed: z.boolean(),
})
export type ReadAsk = z.infer<typeof readAsk>

/** In the header `berth-read` of the answer, as JSON. `fromByte` is above 0 when older bytes have left by rotation or `tailBytes`. */
export const readInfo = z.strictObject({
  placementId: rowId,
  workloadGen: z.int().min(1),
  fromByte: z.int().min(0),
  endByte: z.int().min(0),
})
export type ReadInfo = z.infer<typeof readInfo>
/** The header of an answer that says which bytes it carries, as JSON. */
export const READ_INFO_HEADER = 'berth-read'

/** `POST /v1/search`, controller → agent: plain text in what was printed, escape sequences taken out, case ignored. */
export const searchAsk = z.strictObject({
  workloadId: rowId,
  placementId: placement,
  source: z.enum(READ_SOURCES),
  text: z.string().min(1).max(LIMITS.searchTextChars),
  limit: z.int().min(1).max(LIMITS.searchMatchesMax),
})
export type SearchAsk = z.infer<typeof searchAsk>

/** Newest first. `seq` is the byte at which the line begins. */
export const searchAnswer = z.strictObject({
  matches: z
    .array(z.strictObject({ seq: z.int().min(0), line: z.string().max(400), at: z.coerce.date().nullable() }))
    .max(LIMITS.searchMatchesMax),
  isComplete: z.boolean(),
})
export type SearchAnswer = z.infer<typeof searchAnswer>
