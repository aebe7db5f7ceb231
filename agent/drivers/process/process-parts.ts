import { join } from 'node:path'
import type { DriverDeps } from '../deps'
import { type EgressClient, openEgressClient } from './egress-client'
import { type Environments, openEnvironments } from './environments/environments'
import { type HostCopy, makeHostCopy } from './host-copy'
import { type InstanceStore, openInstanceStore } from './instance-record'
import type { Cgroups } from './limits/cgroups'
import { openCgroups } from './limits/open-cgroups'
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
  /** Asked once, again after a failure. */
  copy: () => Promise<HostCopy>
  tools: () => Promise<MachineTools>
}

/** Opens them all; nothing is started and nothing is written before it is needed. */
export function openProcessParts(deps: DriverDeps): ProcessParts {
  const isRoot = process.getuid?.() === 0
  const copy = once(() => makeHostCopy(deps))
  const egress = openEgressClient({ ...deps, copy })
  const cgroups = openCgroups()
  const uids = openUids(join(deps.dataDir, 'agent', 'uids.json'))
  return {
    ...deps,
    ...{ isRoot, copy, tools, egress, cgroups, uids },
    store: openInstanceStore(deps.dataDir),
    workspaces: openWorkspaces(deps.dataDir),
    environments: openEnvironments({ ...deps, isRoot, copy, tools, egress, cgroups, uids }),
  }
}

/** One answer for the whole process: the machine's tools are asked once. */
const tools = once(() => readMachineTools())

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
