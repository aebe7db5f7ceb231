// A machine without bubblewrap: everything runs, and every screen that it touches says so, with the line that helps.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { Berth } from './support/berth'
import { signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

const FIX = 'apt install bubblewrap'

test('without bubblewrap a session runs, and each screen says that nothing isolates it, with the line to install', async ({
  browser,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-e2e-bare-'))
  const berth = await Berth.create(undefined, [
    '/usr/bin/env',
    `PATH=${pathWithout('bwrap', folder)}`,
    ...[`HOME=${folder}`, 'SHELL=/bin/sh'], // whatever this user's own shell does when it starts
    process.execPath,
    'scripts/start.mjs',
  ])
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const faults = watchForFaults(page)
  try {
    const link = await berth.start()
    expect(berth.output).toContain(`bubblewrap is missing: sessions and notebooks run without a sandbox. To install it: ${FIX}`)
    await signUp(page, link)
    await saysSo(page)
    await visit(page, `${berth.origin}/new?kind=session`)
    await saysSo(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page).toHaveURL(/\/terminal$/)
    await typeLine(page, 'echo typed-$((40+2))')
    await expect(terminalRows(page)).toContainText('typed-42')
    await saysSo(page)
    const own = page.url().replace('/terminal', '')
    for (const address of [own, `${berth.origin}/`, `${berth.origin}/machines`, `${berth.origin}/catalog`]) {
      await page.goto(address)
      await saysSo(page)
    }
    expect(faults).toEqual([])
  } finally {
    await page.context().close()
    await berth.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function saysSo(page: Page): Promise<void> {
  await expect(
    page.getByText('Programs').filter({ hasText: 'can read everything that Berth stores', visible: true }).first(),
  ).toBeVisible()
  await expect(page.getByText(FIX).filter({ visible: true }).first()).toBeVisible()
}

/** Folders with links to all that the search path of this process has but one program: as many folders, in the same order. */
function pathWithout(program: string, folder: string): string {
  const places = (process.env.PATH ?? '').split(':').filter((place) => place !== '' && existsSync(place))
  return places
    .map((place, i) => {
      const own = path.join(folder, String(i))
      mkdirSync(own)
      for (const name of readdirSync(place)) if (name !== program) symlinkSync(path.join(place, name), path.join(own, name))
      return own
    })
    .join(':')
}
