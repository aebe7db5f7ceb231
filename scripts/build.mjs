// Bundles controller, agent and command line (shared chunks), and the two detached programs as one file each, so that
// the agent can run them from its own copy.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.dirname(import.meta.dirname)
const outdir = process.env.BERTH_BUILD_DIR ?? path.join(root, 'dist')
const common = {
  absWorkingDir: root,
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Native addons stay packages.
  external: ['better-sqlite3', 'pg-native', 'argon2', '@lydell/node-pty'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  sourcemap: 'linked',
  logLevel: 'warning',
}

rmSync(path.join(outdir, 'chunks'), { recursive: true, force: true })
await Promise.all([
  build({
    ...common,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    entryPoints: { controller: 'controller/main.ts', agent: 'agent/main.ts', berth: 'cli/main.ts' },
  }),
  build({
    ...common,
    splitting: false,
    sourcemap: false,
    entryPoints: { 'session-host': 'agent/host/main.ts', egress: 'agent/egress/main.ts' },
  }),
])
