// The import table of docs/architecture.md: one row per folder, what it may import of ours. Anything else is an error.
const TABLE = {
  domain: [],
  kit: [],
  protocol: ['domain'],
  'server/store': ['domain', 'kit'],
  'server/service': ['domain', 'kit', 'server/store'],
  'server/web': ['domain'],
  'server/auth': ['domain', 'kit', 'server/service', 'server/store/system', 'server/web'],
  'server/api': ['domain', 'kit', 'server/service', 'server/auth', 'server/web'],
  backends: ['domain', 'kit', 'protocol'],
  'backends/agents': ['domain', 'kit', 'protocol', 'backends', 'server/store'],
  controller: ['domain', 'kit', 'server/service', 'server/store', 'backends'],
  'controller/hub': ['domain', 'kit', 'server/service', 'server/store', 'backends', 'protocol', 'controller'],
  'controller/gateway': ['domain', 'kit', 'server/service', 'server/store', 'backends', 'protocol', 'server/auth', 'controller'],
  agent: ['domain', 'kit', 'protocol'],
  cli: ['domain', 'kit', 'protocol'],
  components: ['domain'],
  'components/terminal': ['domain', 'components', 'protocol'],
  app: ['domain', 'components', 'server/api', 'server/auth'],
}

// Wiring files have rows of their own: what their process is made of.
const WIRING = {
  'controller/main.ts': ['controller', 'backends', 'protocol', 'server/service', 'server/store', 'domain', 'kit'],
  'agent/main.ts': ['agent', 'protocol', 'domain', 'kit'],
  'agent/host/main.ts': ['agent', 'protocol', 'domain', 'kit'],
  'agent/egress/main.ts': ['agent', 'protocol', 'domain', 'kit'],
  'cli/main.ts': ['cli', 'protocol', 'domain', 'kit', 'server/store', 'server/service', 'server/auth'],
  'server/boot.ts': ['server', 'domain', 'kit'],
  'instrumentation.ts': ['server'],
  'proxy.ts': ['domain', 'kit', 'server/web'],
}

// Which of our folders a package may be imported from.
const PACKAGES = {
  '@prisma|better-sqlite3|pg': 'server/store|scripts|testing',
  'next-auth': 'server/auth|components|app',
  argon2: 'server/auth',
  '@trpc/server': 'server/api|app/api|components|testing',
  '@lydell': 'agent|testing|cli/testing',
  'react|radix-ui|sonner|cmdk|@xterm/xterm|@trpc/client|@trpc/tanstack-react-query|@tanstack': 'components|app',
  pino: 'kit',
  '@peculiar|reflect-metadata': 'controller/hub|agent',
  'httpxy|ws': 'controller/gateway|cli|testing|e2e|components/terminal',
  next: 'app|components|proxy\\.ts|next\\.config\\.ts|server/auth',
}

const OURS = '^(domain|kit|protocol|server|backends|controller|agent|cli|components|app|testing|scripts|bench|e2e)/'
const TESTS = '\\.test\\.tsx?$'
const file = (name) => `^${name.replaceAll('.', '\\.')}$`
const WIRED = Object.keys(WIRING).map(file)
/** Folders of the table that lie inside `dir` and have a row of their own. */
const inner = (dir) =>
  Object.keys(TABLE)
    .filter((d) => d.startsWith(`${dir}/`))
    .map((d) => `^${d}/`)

const rows = Object.entries(TABLE).map(([dir, may]) => ({
  name: `table-${dir.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: `^${dir}/`, pathNot: [...WIRED, ...inner(dir), TESTS, '/testing/'] },
  to: {
    path: OURS,
    pathNot: [
      `^${dir}/`,
      ...may.map((m) => `^${m}/`),
      ...(['components', 'components/terminal', 'cli'].includes(dir) ? ['^server/api/root\\.ts$'] : []),
    ],
  },
}))

const wires = Object.entries(WIRING).map(([name, may]) => ({
  name: `wire-${name.replace(/\W/g, '-')}`,
  severity: 'error',
  from: { path: file(name) },
  to: { path: OURS, pathNot: may.map((m) => `^${m}/`) },
}))

const homes = Object.entries(PACKAGES).map(([packages, dirs]) => ({
  name: `package-${packages.split('|')[0].replace(/\W/g, '')}`,
  severity: 'error',
  from: { path: `${OURS}|^proxy\\.ts$`, pathNot: [`^(${dirs})(/|$)`, '/generated/', TESTS] },
  to: { path: `^node_modules/(${packages})(/|$)` },
}))

const error = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    ...rows,
    ...wires,
    ...homes,
    error(
      'system-store',
      {
        path: OURS,
        pathNot: [
          '^(server/store|controller|backends/agents|server/auth|server/service|cli)/',
          file('server/boot.ts'),
          TESTS,
          '^testing/',
          '/testing/',
        ],
      },
      { path: '^server/store/system/' },
    ),
    error(
      'raw-state',
      { path: OURS, pathNot: [file('server/service/transition.ts'), TESTS] },
      { path: '^server/store/raw-state\\.ts$' },
    ),
    error(
      'tickets-without-next-auth',
      { path: '^server/auth/(tickets|control)\\.ts$' },
      { path: '^node_modules/next-auth/', reachable: true },
    ),
    error(
      'drivers-apart',
      { path: '^agent/drivers/([^/]+)/', pathNot: TESTS },
      { path: '^agent/drivers/([^/]+)/', pathNot: '^agent/drivers/$1/' },
    ),
    error(
      'backends-apart',
      { path: '^backends/(agents|fake|kubernetes)/', pathNot: TESTS },
      { path: '^backends/(agents|fake|kubernetes)/', pathNot: '^backends/$1/' },
    ),
    error(
      'type-only-root',
      { path: '^(components|cli)/' },
      { path: '^server/api/root\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    error(
      'nobody-imports-tools',
      { path: OURS, pathNot: ['^(testing|scripts|bench|e2e)/', TESTS, '/testing/'] },
      { path: '^(testing|scripts|bench|e2e)/|/testing/' },
    ),
    error('no-circular', {}, { circular: true }),
    error(
      'no-orphans',
      {
        orphan: true,
        pathNot: [
          '^app/',
          '\\.d\\.m?ts$',
          '\\.config\\.',
          '^(proxy|instrumentation)\\.ts$',
          TESTS,
          '^(scripts|e2e|bench)/',
          '(^|/)main\\.ts$',
        ],
      },
      {},
    ),
    error('not-to-unresolvable', {}, { couldNotResolve: true }),
    error(
      'not-to-dev-dep',
      {
        path: '^(domain|kit|protocol|server|backends|controller|agent|cli|components|app)/',
        pathNot: [TESTS, '/generated/', '/testing/'],
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules|/generated/' },
    exclude: { path: '^(\\.next|dist|node_modules/typescript)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
    progress: { type: 'none' },
  },
}
