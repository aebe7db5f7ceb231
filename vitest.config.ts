import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './testing/slow-first'

const FOLDERS = '{domain,kit,protocol,server,backends,controller,agent,cli,components,scripts,bench,testing}'

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // Most files wait for processes and sockets: three at once keep two processors busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    setupFiles: process.env.SOAK ? ['./testing/soak.ts'] : [],
    exclude: ['node_modules/**', '.next/**', 'dist/**', 'e2e/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${FOLDERS}/**/*.test.{ts,tsx,mjs}`],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: ['**/node_modules/**', '.next/**'],
          globalSetup: './testing/databases-setup.ts',
          pool: 'forks',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
