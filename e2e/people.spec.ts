import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { Berth } from './support/berth'
import { expectState, PERSON, signIn, signUp, terminalRows, visit, watchForFaults } from './support/pages'
import { head, sendRaw } from './support/raw'

test.describe.configure({ mode: 'serial' })

let berth: Berth
let context: BrowserContext
let page: Page
let faults: string[]

test.beforeAll(async ({ browser }) => {
  berth = await Berth.create()
  const link = await berth.start()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  faults = watchForFaults(page)
  await signUp(page, link)
})
test.afterAll(async () => {
  await context?.close()
  await berth?.destroy()
})
test.afterEach(() => expect(faults).toEqual([]))

test('localhost goes to the dashboard where a browser opens it, and says what helps where it does not', async () => {
  const other = await context.newPage()
  await other.route('**/.berth/here', (route) => route.abort())
  await other.goto(`http://localhost:${berth.port}/machines`)
  await expect(other.getByRole('heading', { name: /does not find/ })).toBeVisible()
  await expect(other.getByText('/etc/hosts')).toBeVisible()
  await other.unroute('**/.berth/here')
  await other.getByRole('button', { name: 'Look again' }).click()
  await expect(other).toHaveURL(`${berth.origin}/machines`)
  await other.close()
})

test('T4, T5: no server action, no decoder of its bodies, and no upgrade to anywhere', async () => {
  const host = `berth.localhost:${berth.port}`
  const pid = berth.pidOf('web')
  const body = '["$1:__proto__:then","$@0"]'
  const form = 'multipart/form-data; boundary=b'
  for (const type of ['text/x-component', 'text/plain;charset=UTF-8', form]) {
    const headers = {
      host,
      'next-action': '00aa',
      'content-type': type,
      'content-length': String(body.length),
      connection: 'close',
    }
    expect(await sendRaw(berth.port, head('POST /', headers) + body)).toMatch(/^HTTP\/1\.1 40[345] /)
  }
  let reached = 0
  const canary = createServer(() => reached++).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const foreign = `127.0.0.1:${(canary.address() as AddressInfo).port}`
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': `${'A'.repeat(22)}==`,
  }
  for (const asked of [host, foreign])
    expect(await sendRaw(berth.port, head(`GET http://${foreign}/x`, { host: asked, ...upgrade }))).not.toMatch(
      /^HTTP\/1\.1 (101|2)/,
    )
  canary.close()
  expect([reached, berth.pidOf('web')]).toEqual([0, pid])
})

test('an API token is shown once, works, and ends when it is revoked', async ({ request }) => {
  await visit(page, `${berth.origin}/people`)
  const panel = page.getByRole('region', { name: 'Your API tokens' })
  await panel.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('laptop-cli')
  await dialog.getByLabel('Your password').fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Make token' }).click()
  const shown = page
    .getByRole('dialog')
    .getByText(/^berth_pat_/)
    .first()
  const token = (await shown.textContent())?.trim() ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText(token)).toHaveCount(0)
  const ask = async () => {
    const headers = { host: `berth.localhost:${berth.port}`, authorization: `Bearer ${token}` }
    return (await request.get(`http://127.0.0.1:${berth.port}/api/trpc/me.get`, { headers })).status()
  }
  expect(await ask()).toBe(200)
  await panel.getByRole('button', { name: 'Revoke laptop-cli' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Revoke/ })
    .click()
  await expect.poll(ask).toBe(401)
})

test('a changed password ends the sign-in of another browser', async ({ browser }) => {
  const other = await (await browser.newContext()).newPage()
  await signIn(other, berth.origin)
  await visit(page, `${berth.origin}/people`)
  await page.getByRole('region', { name: 'Your account' }).getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(PERSON.password)
  const next = 'another granite plover ferry 52'
  await dialog.getByLabel('New password').fill(next)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(other).toHaveURL(/\/sign-in/)
  await page.goto(`${berth.origin}/workloads`)
  await expect(page.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  await other.context().close()
})

test('the catalog shows what can run here', async () => {
  await page.goto(`${berth.origin}/catalog`)
  await expect(page.getByRole('heading', { name: 'Catalog' })).toBeVisible()
  for (const title of ['JupyterLab', 'Shell', 'Small', 'NVIDIA H100']) await expect(page.getByText(title).first()).toBeVisible()
})

test('keyboard only: create a session, type in it, delete it', async () => {
  await visit(page, `${berth.origin}/`)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  // A key that comes before the page listens is lost: a person presses again.
  await expect(async () => {
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/\/new/, { timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  await tabTo(
    page
      .getByRole('radio', { name: /Session/ })
      .or(page.getByRole('radio', { name: /Notebook/ }))
      .first(),
  )
  for (let i = 0; i < 3 && !(await page.getByRole('heading', { name: 'New session' }).isVisible()); i++)
    await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'New session' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/terminal$/)
  await expect(page.getByText('You type', { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.keyboard.type('echo typed-$((40+2))\n')
  await expect(terminalRows(page)).toContainText('typed-42')
  const id = page.url().split('/').at(-2) ?? ''
  await visit(page, `${berth.origin}/workloads/${id}`)
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await tabTo(page.getByRole('button', { name: 'Delete…' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type(name)
  await tabTo(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }))
  await page.keyboard.press('Enter')
  await expectState(page, 'Removed')
})

test('two tabs share one subscription, and the second stays live when the first is closed', async () => {
  const first = await context.newPage()
  await first.goto(`${berth.origin}/workloads`)
  await expect(first.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  const second = await context.newPage()
  await second.goto(`${berth.origin}/workloads`)
  await expect(second.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  await page.close()
  await first.close()
  page = await context.newPage()
  faults = watchForFaults(page)
  await visit(page, `${berth.origin}/new?kind=session`)
  await page.getByLabel('Name').fill('seen-in-the-other-tab')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  await expect(second.getByRole('link', { name: 'seen-in-the-other-tab' }).first()).toBeVisible()
  await expectState(second, 'Running')
  await second.close()
})

test('every page has no serious accessibility finding, light and dark, wide and narrow', async () => {
  test.setTimeout(600_000)
  const id = page.url().split('/').at(-2) ?? '' // the session of the journey before
  const tabs = ['overview', 'timeline', 'sharing', 'settings', 'json'].map((tab) => `/workloads/${id}?tab=${tab}`)
  const paths = [
    '/',
    '/new',
    '/workloads',
    '/machines',
    '/catalog',
    '/people',
    ...tabs,
    `/workloads/${id}/terminal`,
    '/setup/machine',
  ]
  for (const path of paths) {
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(berth.origin + path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).exclude('.xterm').analyze()
      const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
      expect(serious.map((v) => `${path} ${colorScheme} ${width}: ${v.id} ${v.nodes[0]?.html}`)).toEqual([])
    }
  }
})

/** Presses Tab until this has the focus: a person without a mouse gets there. */
async function tabTo(target: ReturnType<Page['locator']>): Promise<void> {
  await expect(target).toBeVisible()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let i = 0; i < 80; i++) {
    if (await isFocused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab never gets there')
}
