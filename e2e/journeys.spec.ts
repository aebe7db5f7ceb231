import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { Berth } from './support/berth'
import { expectState, readRecord, signIn, signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

test.describe.configure({ mode: 'serial' })

let berth: Berth
let link: string
let context: BrowserContext
let page: Page
let faults: string[]

test.beforeAll(async ({ browser }) => {
  berth = await Berth.create()
  link = await berth.start()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  faults = watchForFaults(page)
})
test.afterAll(async () => {
  await context?.close()
  await berth?.destroy()
})
test.afterEach(() => expect(faults).toEqual([]))

test('sign up: a wrong link is refused in one sentence, the printed one makes the account once', async ({ browser }) => {
  const wrong = await (await browser.newContext()).newPage()
  await visit(wrong, `${berth.origin}/setup#berth_setup_${'x'.repeat(49)}`)
  await wrong.getByLabel('Your name').fill('Eve')
  await wrong.getByLabel('Email').fill('eve@example.org')
  await wrong.getByLabel('Password', { exact: true }).fill('mossy granite plover ferry 41')
  await wrong.getByLabel('Name of this place').fill('Mine')
  await wrong.getByRole('button', { name: 'Create account' }).click()
  await expect(wrong.getByRole('alert').filter({ hasText: /link is wrong, used or older/i })).toBeVisible()

  await signUp(page, link)

  await wrong.goto(link)
  await expect(wrong.getByText('Set-up is done')).toBeVisible()
  await wrong.context().close()
})

test('session: close the tab while it prints, come back to every byte', async () => {
  await visit(page, `${berth.origin}/new?kind=session`)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  await typeLine(page, 'MARK=kept-$((40+2)); echo ready-$MARK')
  await expect(terminalRows(page)).toContainText('ready-kept-42')
  await typeLine(
    page,
    'for i in $(seq 1 4000); do echo line-$i-end; [ $((i % 100)) = 0 ] && sleep 0.1; done; echo all-$((2*2))-done',
  )
  await expect(terminalRows(page)).toContainText(/line-\d+-end/)
  const address = page.url()
  await page.close()

  page = await context.newPage()
  faults = watchForFaults(page)
  await page.goto(address)
  await expect(terminalRows(page)).toContainText('all-4-done', { timeout: 60_000 })
  const record = await readRecord(page, {
    workloadId: address.split('/').at(-2) ?? '',
    dataUrl: `ws://io.berth.localhost:${berth.port + 1}/terminal`,
    last: 'all-4-done',
  })
  const numbers = [...record.matchAll(/line-(\d+)-end/g)].map((m) => Number(m[1]))
  expect(numbers).toEqual(Array.from({ length: 4000 }, (_, i) => i + 1))
})

test('session: a second window takes control, the first becomes a viewer', async () => {
  const second = await context.newPage()
  await second.goto(page.url())
  await expect(second.getByRole('button', { name: 'Take control' })).toBeVisible({ timeout: 60_000 })
  await second.getByRole('button', { name: 'Take control' }).click()
  await expect(second.getByText('You type', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take control' })).toBeVisible()
  await second.close()
  await page.getByRole('button', { name: 'Take control' }).click()
  await expect(page.getByText('You type', { exact: true })).toBeVisible()
})

test('session: controller and web are killed and started again, the same shell goes on', async () => {
  const before = berth.hosts().find((h) => h.childPid !== null)
  await berth.killHard()
  expect(await berth.start()).toBe(berth.origin)
  await typeLine(page, 'echo again-$MARK')
  await expect(terminalRows(page)).toContainText('again-kept-42', { timeout: 60_000 })
  const after = berth.hosts().find((h) => h.childPid !== null)
  expect(after).toEqual(before)
})

test('a GPU request on a machine without one shows the funnel and the exact reason', async () => {
  await visit(page, `${berth.origin}/new?kind=notebook`)
  await page.getByText(/show the \d+ classes/).click()
  await page.getByRole('radio', { name: /h100/i }).check({ force: true })
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('waiting for h100-80gb: none of 1 machine has one').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('GPU class').first()).toBeVisible()
  await expect(page.getByText('it waits here').first()).toBeVisible()
})

test('notebook: build with progress, run print(6*7), park, resume, the file is there, delete', async () => {
  test.setTimeout(600_000)
  await visit(page, `${berth.origin}/setup/machine`)
  await page.getByRole('button', { name: 'Open a notebook' }).click()
  await expect(page.getByText(/Building|Installing|Packages|Environment/i).first()).toBeVisible({ timeout: 60_000 })
  await expectState(page, 'Running', 400_000)
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''

  const lab = await openNotebook()
  await expect(lab).toHaveURL(/^http:\/\/w-[a-z2-7]{26}\.localhost:\d+\/lab/, { timeout: 60_000 })
  await lab.locator('.jp-LauncherCard[data-category="Notebook"]').first().click()
  const cell = lab.locator('.jp-Notebook .jp-Cell .cm-content').first()
  await expect(lab.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')).toBeVisible({ timeout: 90_000 })
  await cell.click()
  await lab.keyboard.type('print(6*7)')
  await expect(cell).toContainText('print(6*7)')
  // JupyterLab drops a run that is asked for while its kernel session is still being set up: ask again, as a person would.
  await expect(async () => {
    await cell.click()
    await lab.keyboard.press('Shift+Enter')
    const output = lab.locator('.jp-OutputArea-output').filter({ hasText: /^42\s*$/ })
    await expect(output.first()).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 90_000 })
  // Its tab may be closed only once the server has what the cell put out. The first time it asks for a name.
  const unsaved = lab.locator('.lm-TabBar-tab.jp-mod-dirty')
  await expect(unsaved).toHaveCount(1)
  await lab.keyboard.press('Control+s')
  await lab.getByRole('button', { name: 'Rename and Save' }).click()
  await expect(unsaved).toHaveCount(0)
  await expect(lab.locator('.jp-DirListing-item').filter({ hasText: 'Untitled.ipynb' })).toBeVisible()
  await lab.close()

  await page.getByRole('button', { name: 'Park' }).click()
  await expectState(page, 'Parked')
  await page.getByRole('tab', { name: 'Outputs' }).click()
  await expect(page.getByRole('tabpanel').getByText('42', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Resume' }).click()
  await expectState(page, 'Running', 120_000)

  const again = await openNotebook()
  await expect(again.locator('.jp-DirListing-item').filter({ hasText: 'Untitled.ipynb' })).toBeVisible({ timeout: 60_000 })
  await again.close()

  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await expectState(page, 'Removed')
  await page.goto(`${berth.origin}/workloads`)
  await expect(page.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('notebook: a folder of one’s own is there, beside what is kept', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'berth-own-folder-'))
  chmodSync(own, 0o755) // when root runs Berth, a sandbox has a user of its own
  writeFileSync(path.join(own, 'mine.csv'), 'a,b\n1,2\n')
  await visit(page, `${berth.origin}/new?kind=notebook`)
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByLabel('Folder to allow').fill(own)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await page.getByLabel('Folder 1', { exact: true }).fill(own)
  await page.getByRole('button', { name: 'Create' }).click()
  await expectState(page, 'Running', 120_000)
  const lab = await openNotebook()
  // A list that is drawn anew between the two clicks opens nothing: a person does it again.
  await expect(async () => {
    const item = (name: string) => lab.locator('.jp-DirListing-item').filter({ hasText: name })
    if (await item(path.basename(own)).isVisible()) await item(path.basename(own)).dblclick({ timeout: 5000 })
    await expect(item('mine.csv')).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
  await lab.close()
  rmSync(own, { recursive: true, force: true })
})

test('sign out ends the sign-in, and signing in comes back', async () => {
  await visit(page, `${berth.origin}/`)
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto(`${berth.origin}/workloads`)
  await expect(page).toHaveURL(/\/sign-in/)
  await signIn(page, berth.origin)
})

/** Presses Open and returns the new tab, once its files are listed. */
async function openNotebook(): Promise<Page> {
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('link', { name: /^Open / })
      .first()
      .click(),
  ])
  await expect(tab.locator('#jp-main-dock-panel')).toBeVisible({ timeout: 90_000 })
  return tab
}
