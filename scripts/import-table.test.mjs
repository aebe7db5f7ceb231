import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = path.dirname(import.meta.dirname)
let folder = ''
let violations = []

/** A small tree with one violation of each rule, beside files that are allowed. */
const PLANTED = {
  'domain/ok.ts': 'export const ok = 1',
  'kit/ok.ts': 'export const ok = 2',
  'protocol/ok.ts': "import { ok } from '@/domain/ok'\nexport const two = ok",
  'domain/alias.ts': "import { ok } from '@/kit/ok'\nexport const a = ok",
  'domain/dynamic.ts': "export const b = () => import('../kit/ok')",
  'domain/type-only.ts': "import type { S } from '@/server/store/rows'\nexport type T = S",
  'domain/cycle-a.ts': "import { d } from './cycle-b'\nexport const c = d",
  'domain/cycle-b.ts': "import { c } from './cycle-a'\nexport const d = c",
  'domain/orphan.ts': 'export const alone = 1',
  'server/store/rows.ts': "import pg from 'pg'\nexport type S = string\nexport const p = pg",
  'server/store/raw-state.ts': 'export const raw = 1',
  'server/store/system/all.ts': 'export const all = 1',
  'server/service/sneak.ts': "import { raw } from '../store/raw-state'\nexport const r = raw",
  'server/api/deep.ts': "import { S } from '../store/rows'\nexport const s: S = ''",
  'server/api/system.ts': "import { all } from '../store/system/all'\nexport const y = all",
  'agent/log.ts': "import pino from 'pino'\nexport const l = pino",
  'agent/drivers/sim/sim.ts': "import { p } from '../process/process'\nexport const q = p",
  'agent/drivers/process/process.ts': 'export const p = 1',
  'components/root.tsx': "import { root } from '../server/api/root'\nexport const z = root",
  'server/api/root.ts': 'export const root = 1',
  'kit/tool.ts': "import { t } from '@/testing/tool'\nexport const u = t",
  'testing/tool.ts': 'export const t = 1',
  'kit/nowhere.ts': "import { n } from './no-such-file'\nexport const m = n",
}

function plantPackage(name) {
  const home = path.join(folder, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  writeFileSync(
    path.join(home, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' }),
  )
  writeFileSync(path.join(home, 'index.js'), 'export default 1\n')
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-imports-'))
  for (const [name, text] of Object.entries(PLANTED)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), `${text}\n`)
  }
  for (const name of ['tsconfig.json', '.dependency-cruiser.cjs', 'package.json'])
    cpSync(path.join(root, name), path.join(folder, name))
  for (const name of ['pino', 'pg']) plantPackage(name)
  const command = path.join(root, 'node_modules/.bin/depcruise')
  const dirs = ['domain', 'kit', 'protocol', 'server', 'agent', 'components', 'testing']
  const result = spawnSync(command, ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...dirs], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  violations = JSON.parse(result.stdout).summary.violations.map((v) => `${v.rule.name}: ${v.from}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['an import through the alias', 'table-domain: domain/alias.ts'],
  ['a dynamic import', 'table-domain: domain/dynamic.ts'],
  ['a type-only import', 'table-domain: domain/type-only.ts'],
  ['a cycle', 'no-circular: domain/cycle-a.ts'],
  ['an orphan', 'no-orphans: domain/orphan.ts'],
  ['the store seen by the API', 'table-server-api: server/api/deep.ts'],
  ['the store without tenants seen by the API', 'system-store: server/api/system.ts'],
  ['the raw state update outside transition()', 'raw-state: server/service/sneak.ts'],
  ['a package outside its home', 'package-pino: agent/log.ts'],
  ['a driver that sees another', 'drivers-apart: agent/drivers/sim/sim.ts'],
  ['more than the type of the API in a component', 'type-only-root: components/root.tsx'],
  ['a test tool in the product', 'nobody-imports-tools: kit/tool.ts'],
  ['an import of nothing', 'not-to-unresolvable: kit/nowhere.ts'],
])('the import check catches %s', (_name, expected) => {
  expect(violations).toContain(expected)
})

it('the import check accepts what the table allows', () => {
  expect(violations.filter((v) => v.endsWith('protocol/ok.ts') || v.endsWith('server/store/rows.ts'))).toEqual([])
})
