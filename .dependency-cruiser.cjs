// The import table of docs/architecture.md. One row per folder: what it may import of ours. Anything else is an error.
const T = {
  domain: [],
  kit: [],
  protocol: ['domain'],
  'server/store': ['domain', 'kit'],
  'server/service': ['domain', 'kit', 'server/store'],
  'server/auth': ['domain', 'kit', 'server/service'],
  'server/api': ['domain', 'kit', 'server/service', 'server/auth'],
  controller: ['domain', 'kit', 'server/service', 'server/store', 'backends'],
  agent: ['domain', 'kit', 'protocol'],
  components: ['domain'],
  app: ['domain', 'components', 'server/api', 'server/auth'],
}
// Wiring files have rows of their own: what their process is made of.
const WIRE = {
  'controller/main.ts': ['controller', 'backends', 'protocol', 'server/service', 'server/store', 'domain', 'kit'],
  'agent/main.ts': ['agent', 'protocol', 'domain', 'kit'],
  'server/boot.ts': ['server', 'domain', 'kit'],
  'instrumentation.ts': ['server'],
  'proxy.ts': ['domain', 'kit'],
}
const WIRING = Object.keys(WIRE).map((f) => `^${f.replace('.', '\\.')}$`)
const TESTS = '\\.test\\.tsx?$'
const OURS = '^(domain|kit|protocol|server|backends|controller|agent|cli|components|app|testing|scripts|bench|e2e)/'
const rows = Object.entries(T).map(([dir, may]) => ({
  name: `table-${dir.replace('/', '-')}`, severity: 'error',
  from: { path: `^${dir}/`, pathNot: [...WIRING, TESTS] },
  to: { path: OURS, pathNot: [`^${dir}/`, ...may.map((m) => `^${m}/`), ...(['components', 'cli'].includes(dir) ? ['^server/api/root\\.ts$'] : [])] },
}))
const wires = Object.entries(WIRE).map(([file, may]) => ({
  name: `wire-${file.replace(/\W/g, '-')}`, severity: 'error',
  from: { path: `^${file.replace('.', '\\.')}$` }, to: { path: OURS, pathNot: may.map((m) => `^${m}/`) },
}))
const HOME = { '@prisma|better-sqlite3|pg': 'server/store|scripts|testing', 'next-auth|argon2': 'server/auth|components|app', '@trpc/server': 'server/api|app/api|components', 'node-pty': 'agent', 'react|radix-ui|sonner|cmdk|uplot|@xterm/xterm': 'components|app', pino: 'kit', next: 'app|components|proxy\\.ts|next\\.config\\.ts|server/auth' }
const packages = Object.entries(HOME).map(([p, dirs]) => ({
  name: `package-${p.split('|')[0].replace(/\W/g, '')}`, severity: 'error',
  from: { path: `${OURS}|^proxy\\.ts`, pathNot: [`^(${dirs})(/|$)`, '/generated/'] }, to: { path: `^node_modules/(${p})(/|$)` },
}))
module.exports = {
  forbidden: [
    ...rows, ...wires, ...packages,
    { name: 'type-only-root', severity: 'error', from: { path: '^(components|cli)/' }, to: { path: '^server/api/root\\.ts$', dependencyTypesNot: ['type-only'] } },
    { name: 'nobody-imports-tools', severity: 'error', from: { path: OURS, pathNot: ['^(testing|scripts|bench|e2e)/', TESTS] }, to: { path: '^(testing|scripts|bench|e2e)/' } },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['^app/', '\\.d\\.ts$', '\\.config\\.', '^(proxy|instrumentation)\\.ts$', TESTS, '^(scripts|e2e|bench)/', '(^|/)main\\.ts$'] }, to: {} },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'not-to-dev-dep', severity: 'error', from: { path: '^(domain|kit|server|controller|agent|components|app|cli)/', pathNot: [TESTS, '/generated/'] }, to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] } },
  ],
  options: {
    tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, combinedDependencies: false,
    doNotFollow: { path: 'node_modules|/generated/' }, exclude: { path: '^(\\.next|dist|node_modules/typescript)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'], mainFields: ['module', 'main', 'types'] },
    progress: { type: 'none' },
  },
}
