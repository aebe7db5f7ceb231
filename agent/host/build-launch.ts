import { z } from 'zod'
import { bindMount } from './host-launch'

const path = z.string().startsWith('/')
const BUILD_STAGES = ['environment', 'packages', 'kernel'] as const
const argv = z.array(z.string()).min(1)

/** One environment to build: steps that run one after the other in the sandbox, and how their progress is seen. */
export const buildLaunch = z.strictObject({
  namespace: z.strictObject({ mountRoot: path.nullable(), mounts: z.array(bindMount).max(64), egressSocket: path }),
  logFile: path,
  /** `installs`: this step brings the packages; its progress is counted, and its failure is looked into. */
  steps: z
    .array(z.strictObject({ stage: z.enum(BUILD_STAGES), command: argv, installs: z.boolean(), timeoutMs: z.int().min(1) }))
    .min(1),
  /** Run one by one after a failed step that installs: the first that fails names the package that broke it. */
  probes: z.array(z.strictObject({ subject: z.string(), command: argv })),
  /** Folder in which installed packages appear, and the installer's report of what it is going to install. */
  sitePackages: path,
  report: path,
})
export type BuildLaunch = z.infer<typeof buildLaunch>

/** What the builder prints, one JSON line each. `received` counts bytes from the network, so that a long download moves. */
export const buildLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('progress'),
    stage: z.enum(BUILD_STAGES),
    detail: z.string().max(120).nullable(),
    done: z.int().min(0).nullable(),
    total: z.int().min(0).nullable(),
    received: z.int().min(0),
  }),
  z.strictObject({ type: z.literal('done') }),
  z.strictObject({ type: z.literal('failed'), stage: z.enum(BUILD_STAGES), subject: z.string().nullable() }),
])
export type BuildLine = z.infer<typeof buildLine>

/** The installer's own machine-readable report (`pip install --report`): what it decided to install. */
export const installReport = z.object({ install: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })
