import { z } from 'zod'

const path = z.string().startsWith('/')
const size = z.int().min(1)

/** A bind mount that the session-host makes in its own mount namespace, so that another uid can reach the folder. */
export const bindMount = z.strictObject({ source: path, target: path })
export type BindMount = z.infer<typeof bindMount>

/** Where the sandbox is and how its processes are reached; null parts are for a process without a sandbox. */
const namespaceSpec = z.strictObject({
  /** Folder that the mounts lie below; a private tmpfs covers it. Null: nothing needs mounting. */
  mountRoot: path.nullable(),
  mounts: z.array(bindMount).max(64),
  /** The machine's egress process listens here for this instance. */
  egressSocket: path,
})

/** What a session-host is started with: written by the agent into `launch.json`, 0600. */
export const hostLaunch = z.strictObject({
  protocol: z.int(),
  placementId: z.uuid(),
  workloadId: z.uuid(),
  workloadGen: z.int().min(1),
  bootId: z.string().max(80),
  kind: z.enum(['terminal', 'service']),
  /** `<data>/instances/<placementId>`. */
  instanceDir: path,
  doors: z.strictObject({ main: path, terminal: path, state: path }),
  /** Own network namespace; null for a plain process. */
  namespace: namespaceSpec.nullable(),
  /** The whole argument list, wrappers included. */
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()),
  cwd: path,
  /** bubblewrap writes the pid of the sandbox's first process here; null for a plain process. */
  statusFile: path.nullable(),
  /** Owner of the pseudo-terminal when it is not the agent's own user. */
  ptyOwner: z.strictObject({ uid: size, gid: size }).nullable(),
  cols: size,
  rows: size,
  graceMs: size,
})
export type HostLaunch = z.infer<typeof hostLaunch>

/** Port inside the sandbox that the `main` door reaches. */
export const MAIN_PORT = 8888
/** Port inside the sandbox that leads to the machine's egress process. */
export const PROXY_PORT = 3128

/** The variable by which processes of a plain program are found again, wherever they went. */
export const MARKER_NAME = 'SESSION_PLACEMENT'
/** Its whole text in an environment. */
export function marker(placementId: string): string {
  return `${MARKER_NAME}=${placementId}`
}

/** Files and folders of an instance, in one place for both sides. */
export function instancePaths(instanceDir: string) {
  return {
    hostFile: `${instanceDir}/host.json`,
    launchFile: `${instanceDir}/launch.json`,
    recordFile: `${instanceDir}/instance.json`,
    recordDir: `${instanceDir}/record`,
    logDir: `${instanceDir}/log`,
    hostLog: `${instanceDir}/log/host.log`,
    serviceDir: `${instanceDir}/log/service`,
    buildLog: `${instanceDir}/log/build.log`,
    statusFile: `${instanceDir}/sandbox-status`,
    seccompFile: `${instanceDir}/seccomp.bpf`,
    etcDir: `${instanceDir}/etc`,
    /** There when `stop --all` ended it; `scripts/lib/stop.mjs` writes it. */
    endedFile: `${instanceDir}/ended-by-stop`,
    /** There when the program did not end by itself in time. */
    forcedFile: `${instanceDir}/forced`,
  }
}
