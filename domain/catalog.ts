import { z } from 'zod'
import { KIND_NAMES } from './kinds'

const key = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,59}$/)

/** A name and nothing around it: an address with a scheme, a port or a path would never match, without a word. */
const allowedHost = z
  .string()
  .max(253)
  .regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a host such as example.org, or *.example.org for those below it')

/** The catalog: runtimes, sizes, GPU classes with ordered fallbacks. Shipped as YAML and replaceable. */
export const catalog = z.strictObject({
  version: z.literal(1),
  runtimes: z
    .array(
      z.strictObject({
        id: key,
        kind: z.enum(KIND_NAMES),
        title: z.string().max(60),
        detail: z.string().max(200),
        /** Driver rows of `domain/drivers.ts` that can run it, best first. */
        drivers: z.array(key).min(1),
        /** Server packages, pinned; installed in an environment of their own. */
        server: z.array(z.string().max(100)).default([]),
        /** Hosts that its workloads may reach; `open` lets them reach every public address. */
        egress: z.strictObject({ open: z.boolean(), allow: z.array(allowedHost).default([]) }),
        defaultSize: key,
      }),
    )
    .min(1),
  sizes: z
    .array(
      z.strictObject({
        id: key,
        title: z.string().max(40),
        cpus: z.int().min(1),
        memoryBytes: z.int().min(1),
        diskBytes: z.int().min(0),
      }),
    )
    .min(1),
  classes: z
    .array(
      z.strictObject({
        id: key,
        title: z.string().max(60),
        /** Substrings of the device name, lower case; all must occur. */
        match: z.array(z.string().max(60)).min(1),
        memoryBytes: z.int().min(1),
        fallbacks: z.array(key).default([]),
      }),
    )
    .default([]),
})
export type Catalog = z.infer<typeof catalog>
export type Runtime = Catalog['runtimes'][number]
export type Size = Catalog['sizes'][number]
export type GpuClass = Catalog['classes'][number]
