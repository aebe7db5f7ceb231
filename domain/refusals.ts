import { z } from 'zod'
import { LIMITS } from './limits'

/** A name or an address in canonical form. */
const hostName = z.string().regex(/^[a-z0-9._:-]{1,253}$/)

/** A host that an instance wanted to reach and may not: its name or address in canonical form, and how often it tried. */
const refusedHost = z.strictObject({ host: hostName, count: z.int().min(1) })
export type RefusedHost = z.infer<typeof refusedHost>

/** What one instance was refused, each host once. */
export const refusedHosts = z
  .array(refusedHost)
  .max(LIMITS.refusedHostsMax)
  .refine((list) => new Set(list.map((row) => row.host)).size === list.length, 'each host once')

/** Hosts to which one instance sent more than the bound of the alarm, each once. */
export const heavyHosts = z
  .array(hostName)
  .max(LIMITS.heavyHostsMax)
  .refine((list) => new Set(list).size === list.length, 'each host once')
