import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive, startTime } from '../../../host/process-table'
import type { EgressClient } from '../egress-client'
import type { Cgroups } from '../limits/cgroups'

/** A build that goes on: its scratch folder carries the agent's process in its name, so that the next agent can tell it from one that was cut. */
export type BuildFolder = { id: string; temporary: string }

const TARGET = 'target'
const COMPLETE = '.complete'
const PRUNED = '.pruned-'

/** Makes the scratch folder of a build of `target`; one that is built in its own place is named in it. */
export async function makeBuildFolder(target: string, { isInPlace }: { isInPlace: boolean }): Promise<BuildFolder> {
  const folder = dirname(target)
  const id = randomBytes(16).toString('hex')
  const temporary = join(folder, `.build-${process.pid}-${startTime(process.pid)}-${id}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(temporary, { mode: 0o711 })
  if (isInPlace) {
    await writeFile(join(temporary, TARGET), basename(target), { mode: 0o600 })
    await rm(target, { recursive: true, force: true })
  }
  return { id, temporary }
}

/** Is the environment there, whole? One that is built where it is used says so last; others appear whole. */
export function isBuilt(target: string, isPlain: boolean): boolean {
  return existsSync(isPlain ? join(target, COMPLETE) : target)
}

/** The last word of a build in place. */
export async function markComplete(target: string): Promise<void> {
  await writeFile(join(target, COMPLETE), '')
}

/** Removes what builds of ended agents left: their folders, their way out and their control groups, and what was being pruned. */
export async function sweepBuilds(
  deps: { egress: Pick<EgressClient, 'drop'>; cgroups: Pick<Cgroups, 'remove'> },
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (name.startsWith(PRUNED)) await rm(join(folder, name), { recursive: true, force: true })
    const [, pid, start, id] = /^\.build-(\d+)-(\d+)-([0-9a-f]{32})$/.exec(name) ?? []
    if (!pid || !start || !id || isAlive({ pid: Number(pid), start })) continue
    await deps.egress.drop(id)
    await deps.cgroups.remove(id)
    await dropHalf(folder, await readFile(join(folder, name, TARGET), 'utf8').catch(() => null))
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Where an environment is on its way out, under a name that nobody looks for. */
export function prunedName(folder: string, key: string): string {
  return join(folder, `${PRUNED}${key}-${Date.now()}`)
}

/** What was begun in place and never completed. */
async function dropHalf(folder: string, key: string | null): Promise<void> {
  if (key === null || !/^[0-9a-f]{40}$/.test(key) || isBuilt(join(folder, key), true)) return
  await rm(join(folder, key), { recursive: true, force: true })
}
