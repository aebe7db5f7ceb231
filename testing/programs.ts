import { cpSync } from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'

/** The file of one of the programs that were bundled for this run. */
export function programFile(name: 'agent' | 'session-host'): string {
  return path.join(inject('programs'), `${name}.mjs`)
}

/** Copies of all of them, which a test may change. */
export function copyPrograms(folder: string): void {
  cpSync(inject('programs'), folder, { recursive: true })
}
