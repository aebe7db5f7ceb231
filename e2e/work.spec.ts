import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { ageRun } from '../testing/age-run'
import { Berth } from './support/berth'
import { expectState, signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

test.describe.configure({ mode: 'serial' })

let berth: Berth
let context: BrowserContext
let page: Page
let faults: string[]
let own: string

test.beforeAll(async ({ browser }) => {
  own = mkdtempSync(path.join(tmpdir(), 'berth-own-folder-'))
  chmodSync(own, 0o777) // when root runs Berth, a sandbox has a user of its own
  writeFileSync(path.join(own, 'mine.txt'), 'a file of my own\n')
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
  rmSync(own, { recursive: true, force: true })
})
test.afterEach(() => expect(faults).toEqual([]))

test('a notebook whose build fails says why, with its log one click away; with other packages it starts', async () => {
  test.setTimeout(300_000)
  await visit(page, `${berth.origin}/new?kind=notebook`)
  await page.getByLabel('Packages').fill('berth-no-such-package-at-all==9.9')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/workloads\/[^/]+$/)
  await page.getByRole('link', { name: 'Read the log of its build' }).click({ timeout: 240_000 })
  await expect(page.getByText(/berth-no-such-package-at-all/).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Change its packages' }).click()
  await page.getByRole('textbox', { name: 'Packages' }).fill('six==1.17.0')
  await page.getByRole('region', { name: 'Packages' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Packages saved')).toBeVisible()
  await page.getByRole('button', { name: 'Restart' }).first().click()
  await expectState(page, 'Running', 200_000)
  await page.getByRole('button', { name: 'Park' }).first().click()
  await expectState(page, 'Parked')
})

test('a folder of one’s own, allowed once, is there in a session: read only, or to write', async () => {
  await visit(page, `${berth.origin}/new?kind=session`)
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByLabel('Folder to allow').fill(own)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await addFolder(own)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  const inside = `/workspace/${path.basename(own)}`
  await typeLine(page, `cat ${inside}/mine.txt; touch ${inside}/new.txt || echo refused-$((40+2))`)
  await expect(terminalRows(page)).toContainText('a file of my own')
  await expect(terminalRows(page)).toContainText('refused-42')
  await visit(page, `${berth.origin}/new?kind=session`)
  await page.getByRole('button', { name: 'More options' }).click()
  // The form remembers what was chosen last, the folder too.
  await expect(page.getByLabel('Folder 1', { exact: true })).toHaveValue(own)
  await page.getByRole('group', { name: 'What may be done with folder 1' }).getByText('Read and write').click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  await typeLine(page, `echo written > ${inside}/new.txt; echo wrote-$((40+2))`)
  await expect(terminalRows(page)).toContainText('wrote-42')
  expect(readFileSync(path.join(own, 'new.txt'), 'utf8')).toBe('written\n')
})

test('an idle session says when it is parked, and Keep running puts it off', async () => {
  const id = page.url().split('/').at(-2) ?? ''
  await visit(page, `${berth.origin}/workloads/${id}?tab=settings`)
  await page.getByLabel('When idle for').selectOption({ label: '30 min' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  const banner = page.getByRole('region', { name: 'Parks soon' })
  await expect(async () => {
    ageRun(berth.home, id, 25) // again, when what was typed above was noticed meanwhile
    await expect(banner).toBeVisible({ timeout: 15_000 })
  }).toPass({ timeout: 90_000 })
  await banner.getByRole('button', { name: 'Keep running' }).click()
  await expectState(page, 'Running')
})

async function addFolder(folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await page.getByLabel('Folder 1', { exact: true }).fill(folder)
}
