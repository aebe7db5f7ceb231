// A slow computer, a slow network, a page from before: what a person did is neither lost nor done twice.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { ask, order } from './support/api'
import { Berth } from './support/berth'
import { listens, PERSON, signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

test.describe.configure({ mode: 'serial', timeout: 180_000 })

const SPEC = { runtime: 'shell', cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0 }
const SCRIPTS = /\/_next\/static\/.*\.js/
const MINUTE_MS = 60_000

let berth: Berth
let context: BrowserContext
let page: Page
let faults: string[]
let late: { id: string }

test.beforeAll(async ({ browser }) => {
  berth = await Berth.create()
  const link = await berth.start()
  context = await browser.newContext()
  page = await context.newPage()
  faults = watchForFaults(page)
  await signUp(page, link)
})
test.afterAll(async () => {
  await context?.close()
  await berth?.destroy()
})
test.afterEach(() => expect(faults).toEqual([]))

test('a second click on the first start joins the first', async () => {
  await visit(page, `${berth.origin}/setup/machine`)
  await page.getByRole('button', { name: 'Start a session' }).evaluate((button: HTMLElement) => {
    for (let i = 0; i < 2; i++) button.click()
  })
  await expect(page).toHaveURL(/\/terminal$/)
  await typeLine(page, 'echo typed-$((40+2))')
  const { rows } = await ask<{ rows: { id: string }[] }>(page, 'workloads.list', {})
  expect(rows.map(({ id }) => id)).toEqual([page.url().split('/').at(-2)])
})

test('what is sent before the page listens is kept, and no password comes into an address', async ({ browser }) => {
  const other = await (await browser.newContext()).newPage()
  const addresses: string[] = []
  other.on('request', (request) => addresses.push(request.url()))
  const release = await hold(other, SCRIPTS)
  await other.goto(`${berth.origin}/sign-in?next=%2Fnew`, { waitUntil: 'commit' })
  await other.getByLabel('Email').fill(PERSON.email)
  await other.getByLabel('Password', { exact: true }).fill(PERSON.password)
  await other.keyboard.press('Enter')
  release()
  await listens(other)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: 'New notebook' })).toBeVisible()
  expect(addresses.filter((address) => address.includes('password='))).toEqual([])
  await other.context().close()
})

test('what is chosen and typed before the page listens is what is created', async () => {
  const release = await hold(page, SCRIPTS)
  await page.goto(`${berth.origin}/new?kind=notebook`, { waitUntil: 'commit' })
  await page.getByText('Sandboxed terminal for an agent').click()
  await page.getByLabel('Name').fill('typed-early')
  release()
  await expect(page.getByRole('heading', { name: 'New session' })).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('typed-early')
})

test('a terminal that opens leaves the focus where somebody types', async () => {
  await typeLine(page, 'echo first-$((40+2))')
  await expect(terminalRows(page)).toContainText('first-42')
  const release = await hold(page, /\.woff2/)
  await page.goto(`${page.url()}?panel=record`, { waitUntil: 'commit' })
  const field = page.getByRole('searchbox', { name: 'Search what it printed' })
  await field.fill('before')
  release()
  await expect(page.getByText('You type', { exact: true })).toBeVisible()
  await page.keyboard.type(' after')
  await expect(field).toHaveValue('before after')
})

test('news that were refused once come by themselves', async () => {
  await page.route('**/api/trpc/live.changes*', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
  await visit(page, `${berth.origin}/workloads`)
  late = await order<{ id: string }>(page, 'workloads.create', { kind: 'session', name: 'late-news', spec: SPEC })
  await expect(page.getByRole('link', { name: 'late-news' }).first()).toBeVisible()
})

test('a step back after minutes shows what is now', async () => {
  await page.clock.install()
  await visit(page, `${berth.origin}/workloads/${late.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('late-news')
  await page.getByRole('navigation').getByRole('link', { name: 'Workloads' }).first().click()
  await expect(page.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  await page.clock.fastForward(6 * MINUTE_MS)
  await order(page, 'workloads.rename', { id: late.id, name: 'renamed-since' })
  await expect(page.getByRole('link', { name: 'renamed-since' }).first()).toBeVisible()
  await page.clock.fastForward(6 * MINUTE_MS)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('renamed-since')
})

/** Holds what a page asks for back until it is released. */
async function hold(on: Page, asked: RegExp): Promise<() => void> {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  await on.route(asked, async (route) => {
    await isOpen
    await route.continue()
  })
  return open
}
