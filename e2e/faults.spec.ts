import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { Berth } from './support/berth'
import { expectState, readRecord, signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

test.describe.configure({ mode: 'serial' })

/** A small disk can only be mounted by root; elsewhere this test does not exist. */
const asRoot = process.getuid?.() === 0 ? test : null

let berth: Berth
let page: Page
let faults: string[]

test.beforeAll(async ({ browser }) => {
  berth = await Berth.create()
  const link = await berth.start()
  page = await (await browser.newContext()).newPage()
  faults = watchForFaults(page)
  await signUp(page, link)
})
test.afterAll(async () => {
  await page?.context().close()
  await berth?.destroy()
})
test.afterEach(() => expect(faults).toEqual([]))

test('X9 X10 X13: agent, egress, controller and web are killed while a session prints: every byte is there, from the same shell', async () => {
  await openSession(page, berth)
  await typeLine(page, 'i=0; while :; do i=$((i+1)); echo line-$i-end; sleep 0.01; done')
  await expect(terminalRows(page)).toContainText(/line-\d+-end/)
  const before = berth.hosts().find((host) => host.childPid !== null)
  for (const part of ['agent', 'egress', 'controller', 'web'] as const) {
    const at = await lastLine(page)
    await berth.kill(part)
    if (part === 'web') expect(await berth.start()).toBe(berth.origin)
    await expect
      .poll(() => lastLine(page), { timeout: 60_000, message: `lines after the ${part} was killed` })
      .toBeGreaterThan(at + 100)
  }
  await expect(page.getByText('You type', { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.locator('.xterm-helper-textarea').focus()
  // A shell that is between two of its children loses an interrupt: a person presses again.
  await expect(async () => {
    await page.keyboard.press('Control+c')
    await expect(terminalRows(page)).toContainText(/[#$]\s*$/, { timeout: 3000 })
  }).toPass({ timeout: 30_000 })
  await typeLine(page, 'echo all-$((2*2))-done')
  await expect(terminalRows(page)).toContainText('all-4-done')
  const record = await readRecord(page, recordOf(page, berth))
  const numbers = [...record.matchAll(/line-(\d+)-end/g)].map((match) => Number(match[1]))
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
  expect(berth.hosts().find((host) => host.childPid !== null)).toEqual(before)
})

test('X54: the session-host is killed: the workload says so in fixed words, and restarts', async () => {
  const id = page.url().split('/').at(-2) ?? ''
  await berth.kill('session-host')
  await visit(page, `${berth.origin}/workloads/${id}`)
  const restart = page.getByRole('button', { name: 'Restart' })
  await expect(restart).toBeVisible({ timeout: 60_000 })
  await restart.click()
  await expectState(page, 'Running')
})

test('a page that was read before its session ran, and arrives after, shows the terminal', async () => {
  await visit(page, `${berth.origin}/new?kind=session`)
  const running = () => berth.hosts().filter((host) => host.childPid !== null).length
  const before = running()
  await page.evaluate(() => {
    const fetched = window.fetch
    const isReleased = new Promise<void>((resolve) => window.addEventListener('release', () => resolve(), { once: true }))
    window.fetch = async (...asked) => {
      const answer = await fetched(...asked)
      if (String(asked[0]).includes('/terminal')) await isReleased
      return answer
    }
  })
  await page.getByRole('button', { name: 'Create' }).click()
  await expect.poll(running).toBe(before + 1)
  await page.evaluate(() => window.dispatchEvent(new Event('release')))
  await expect(page).toHaveURL(/\/terminal$/)
  await typeLine(page, 'echo came-$((40+2))')
  await expect(terminalRows(page)).toContainText('came-42')
})

test('two Berths: one data directory is refused in a sentence, another one runs beside', async () => {
  const same = await Berth.create(berth.home)
  await expect(same.start()).rejects.toThrow(/ended with 1\n.*another Berth \(process \d+\) uses the data directory/)
  const beside = await Berth.create()
  try {
    expect(await beside.start()).toMatch(/\/setup#berth_setup_/)
  } finally {
    await beside.destroy()
  }
})

asRoot?.(
  'X43: the disk fills up while a session prints: the shell goes on, and so does everything once there is room',
  async ({ browser }) => {
    const home = mkdtempSync(path.join(tmpdir(), 'berth-e2e-small-'))
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=180m,mode=700', 'none', home]).status).toBe(0)
    const small = await Berth.create(home)
    const own = await (await browser.newContext()).newPage()
    try {
      await signUp(own, await small.start())
      await openSession(own, small, { diskGib: 0 })
      await typeLine(own, 'MARK=kept; echo ready-$((40+2))')
      await expect(terminalRows(own)).toContainText('ready-42')
      const shell = small.hosts().find((host) => host.childPid !== null)?.childPid
      const filler = path.join(home, 'filler')
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'])
      await typeLine(own, 'seq 1 200000 | tail -1; echo full-$((1+1))')
      await expect(terminalRows(own)).toContainText('full-2', { timeout: 60_000 })
      rmSync(filler)
      await typeLine(own, 'echo again-$MARK')
      await expect(terminalRows(own)).toContainText('again-kept', { timeout: 60_000 })
      expect(small.hosts().find((host) => host.childPid !== null)?.childPid).toBe(shell)
    } finally {
      await own.context().close()
      await small.destroy({ isMount: true })
    }
  },
)

async function openSession(on: Page, at: Berth, asked: { diskGib?: number } = {}): Promise<void> {
  await visit(on, `${at.origin}/new?kind=session`)
  if (asked.diskGib !== undefined) {
    await on.getByRole('button', { name: 'More options' }).click()
    await on.getByRole('textbox', { name: 'Disk' }).fill(String(asked.diskGib))
  }
  await on.getByRole('button', { name: 'Create' }).click()
  await expect(on).toHaveURL(/\/terminal$/)
}

/** The highest number on the screen. */
async function lastLine(on: Page): Promise<number> {
  const text = (await terminalRows(on).textContent()) ?? ''
  return Math.max(0, ...[...text.matchAll(/line-(\d+)-end/g)].map((match) => Number(match[1])))
}

function recordOf(on: Page, at: Berth) {
  const workloadId = on.url().split('/').at(-2) ?? ''
  return { workloadId, dataUrl: `ws://io.berth.localhost:${at.port + 1}/terminal`, last: 'all-4-done' }
}
