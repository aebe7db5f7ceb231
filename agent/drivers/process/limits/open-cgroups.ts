import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Cgroups } from './cgroups'
import { openV1 } from './cgroups-v1'
import { openV2 } from './cgroups-v2'

/** Finds out, by making and joining a group, what this machine lets the agent limit. */
export function openCgroups(root = '/sys/fs/cgroup'): Cgroups {
  if (existsSync(join(root, 'cgroup.controllers'))) return openV2(root)
  return openV1(root)
}
