import { z } from 'zod'

/** The one table of identifiers. Row ids are UUID v7; labels appear in host names and are never a row's id. */
export const rowId = z.uuid()
/** 26 random base32 characters (130 bits): the part of a host name that names a workload. */
export const hostLabel = z.string().regex(/^[a-z2-7]{26}$/, 'a host label is 26 characters a-z, 2-7')

/** Prefixes of secrets that people copy: 43 base62 characters and 6 of checksum follow (`domain/tokens.ts`). */
export const TOKEN_PREFIX = {
  apiToken: 'berth_pat_',
  service: 'berth_svc_',
  endpointKey: 'berth_key_',
  join: 'berth_join_',
  setup: 'berth_setup_',
} as const
export type TokenKind = keyof typeof TOKEN_PREFIX

/** One running copy of a workload: every message between controller and machine names all three. */
export const instance = z.strictObject({ workloadId: rowId, placementId: rowId, workloadGen: z.int().min(1) })
export type Instance = z.infer<typeof instance>
