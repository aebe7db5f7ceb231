import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

const ROOT = path.dirname(import.meta.dirname)
const PROGRAMS = {
  agent: 'agent/main.ts',
  'session-host': 'agent/host/main.ts',
  egress: 'agent/egress/main.ts',
  'start-one': 'agent/testing/start-one.ts',
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the programs that tests start, bundled as the house's build does. */
    programs: string
  }
}

/** Bundles, once for the whole run, every program that tests start as a process of its own. Whoever runs them may read them. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-programs-'))
  await build({
    ...{ absWorkingDir: ROOT, entryPoints: PROGRAMS, outdir: folder, outExtension: { '.js': '.mjs' } },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' },
    external: ['better-sqlite3', 'pg-native', 'argon2', '@lydell/node-pty'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })
  for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o644)
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  chmodSync(folder, 0o755)
  project.provide('programs', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
