import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instancePaths } from '../../host/host-launch'
import type { DriverDeps } from '../deps'
import { type EgressClient, openEgressClient } from './egress-client'
import { type Environments, openEnvironments } from './environments/environments'
import { spareCommand } from './host-control'
import { type HostCopy, makeHostCopy } from './host-copy'
import { type InstanceStore, isOver, openInstanceStore } from './instance-record'
import { lastOf } from './last-of'
import type { Cgroups } from './limits/cgroups'
import { openCgroups } from './limits/open-cgroups'
import { SpareHost } from './spare-host'
import { type MachineTools, readMachineTools } from './tools/machine-tools'
import { openUids, type Uids } from './uids'
import { openWorkspaces, type Workspaces } from './workspaces'

/** What the process driver works with on this machine. */
export type ProcessParts = DriverDeps & {
  isRoot: boolean
  store: InstanceStore
  workspaces: Workspaces
  cgroups: Cgroups
  uids: Uids
  egress: EgressClient
  environments: Environments
  /** Waits with its code loaded for the next sandboxed start. */
  spare: SpareHost
  /** Has it wait from now on. */
  warm: () => Promise<void>
  /** Asked once, again after a failure. */
  copy: () => Promise<HostCopy>
  /** As they were last read. */
  tools: () => Promise<MachineTools>
  /** Reads them anew: an address of a registry may have been changed. */
  readTools: () => Promise<MachineTools>
}

/** Opens them all; nothing is started and nothing is written before it is needed. */
export function openProcessParts(deps: DriverDeps): ProcessParts {
  const isRoot = process.getuid?.() === 0
  const copy = once(() => makeHostCopy(deps))
  const egress = openEgressClient({ ...deps, copy })
  const cgroups = openCgroups()
  const store = openInstanceStore(deps.dataDir)
  const spare = new SpareHost(join(deps.dataDir, 'agent', 'spare-host.log'))
  const uids = openUids(join(deps.dataDir, 'agent', 'uids.json'))
  return {
    ...deps,
    ...{ isRoot, copy, tools: tools.last, readTools: tools.again, egress, cgroups, uids },
    store,
    spare,
    warm: async () => spare.prepare(spareCommand({ ...(await copy()), isRoot, isSandboxed: true })),
    workspaces: openWorkspaces(deps.dataDir),
    environments: openEnvironments({
      ...deps,
      isRoot,
      copy,
      tools: tools.last,
      egress,
      cgroups,
      uids,
      isUsed: (path) => isUsed(store, path),
    }),
  }
}

/** Is the path part of the launch of an instance that is not over? */
async function isUsed(store: InstanceStore, path: string): Promise<boolean> {
  const live = (await store.list()).filter((record) => !isOver(record))
  const launches = await Promise.all(
    live.map(({ spec }) => readFile(instancePaths(store.dir(spec.placementId)).launchFile, 'utf8').catch(() => '')),
  )
  return launches.some((launch) => launch.includes(path))
}

/** One for the whole process. */
const tools = lastOf(() => readMachineTools())

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
