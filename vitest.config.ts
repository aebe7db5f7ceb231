import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a tenth of their project's time or more. Begun last, one of them would run alone at the end. */
const SLOW = [
  'agent/drivers/process/notebook.test.ts',
  'agent/drivers/process/uv-and-plain.test.ts',
  'controller/convergence.db.test.ts',
  'controller/restore.db.test.ts',
]

/** What `npm run check` leaves to `npm test`: files that start sandboxes, environments or a whole Berth, one after the other. */
const WHOLE_MACHINE = [
  'agent/drivers/process/*.test.ts',
  'agent/drivers/process/environments/build-failures.test.ts',
  'agent/drivers/process/mounts/mounts.test.ts',
  'controller/hub/tunnel.test.ts',
  'server/boot.test.ts',
]

/** Begins with the files that take long; the others come in the usual order. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at === -1 ? SLOW.length : at
    }
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}

const FOLDERS = '{domain,kit,protocol,server,backends,controller,agent,cli,components,scripts,bench,testing}'

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // Most files wait for processes and sockets: three at once keep two processors busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    // Something that will be is waited for; how long is no promise of a test that does not say so.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    setupFiles: process.env.SOAK ? ['./testing/soak.ts'] : [],
    exclude: ['node_modules/**', '.next/**', 'dist/**', 'e2e/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${FOLDERS}/**/*.test.{ts,tsx,mjs}`],
          exclude: ['**/*.db.test.ts', '**/node_modules/**', ...(process.env.QUICK ? WHOLE_MACHINE : [])],
          globalSetup: './testing/programs-setup.ts',
          testTimeout: process.env.SOAK ? 1_800_000 : 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: ['**/node_modules/**', '.next/**'],
          globalSetup: ['./testing/databases-setup.ts', './testing/programs-setup.ts'],
          pool: 'forks',
          testTimeout: process.env.SOAK ? 1_800_000 : 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
