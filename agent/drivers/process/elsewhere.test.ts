import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import type { Said } from '../../testing/start-elsewhere'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const HIDDEN = 'mount -t tmpfs none /proc && mount -t tmpfs none /sys && exec "$@"'

describe('an agent on a system that is no Linux', () => {
  it.runIf(process.getuid?.() === 0)(
    'starts, loads nothing of Linux, and says what it cannot run',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'elsewhere-'))
      const outfile = join(dir, 'start.mjs')
      const banner = {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      }
      const { metafile } = await build({
        ...{ absWorkingDir: ROOT, entryPoints: ['agent/testing/start-elsewhere.ts'], outfile, bundle: true, metafile: true },
        ...{ platform: 'node', format: 'esm', target: 'node20', external: ['@lydell/node-pty'], banner, logLevel: 'error' },
      })
      const imported = Object.values(metafile.outputs).flatMap((output) => output.imports.map((i) => i.path))
      expect(imported.filter((path) => path.includes('node-pty'))).toEqual([])
      const [file = '', ...args] = [
        'unshare',
        '--mount',
        '--propagation',
        'private',
        '/bin/sh',
        '-c',
        HIDDEN,
        'x',
        process.execPath,
        outfile,
        dir,
      ]
      const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', timeout: 150_000 })
      expect(status, stderr).toBe(0)
      const said = JSON.parse(stdout) as Said
      expect([...said.drivers, ...said.runtimes].map((row) => row.works)).toEqual([false, false, false, false])
      expect([said.enforces, said.seen]).toEqual([[], []])
      rmSync(dir, { recursive: true })
    },
    180_000,
  )
})
