import { spawnSync } from 'node:child_process'

const BUILD = `import { build } from './scripts/lib/prepare.mjs'; await build(process.cwd())`

/** Builds what is stale before the first journey: the journeys of two files start their Berths at once. */
export default function buildOnce(): void {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', BUILD], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Berth could not be built')
}
