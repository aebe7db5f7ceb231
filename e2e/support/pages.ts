// What a person does on Berth's pages, by role and name.
import { expect, type Locator, type Page } from '@playwright/test'

/** Who makes the first account. */
export const PERSON = { name: 'Mara', email: 'mara@example.org', password: 'mossy granite plover ferry 41', place: 'Fieldlab' }

/** Opens an address and waits until the page listens: a click that comes before its code does nothing. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await listens(page)
}

/** Waits until what is on the page can be used. */
export async function listens(page: Page): Promise<void> {
  // A page that leads on takes the question with it.
  const ask = () => page.evaluate(isListening).catch(() => false)
  await expect.poll(ask, { message: 'the page listens' }).toBe(true)
}

/** Runs in the page: React has put its own properties on what a person can press, type into or choose. */
function isListening(): boolean {
  const controls = [...document.querySelectorAll('button, input, textarea:not(.xterm textarea), select')]
  return controls.every((control) => Object.keys(control).some((key) => key.startsWith('__reactProps')))
}

/** Waits until the page of a workload says this of its state: the heading has it, other places only speak of it. */
export async function expectState(page: Page, word: string, timeoutMs = 60_000): Promise<void> {
  await expect(page.getByRole('main').getByText(word, { exact: true }).first()).toBeVisible({ timeout: timeoutMs })
}

/** Follows the printed link, makes the first account, and waits until this machine has joined. */
export async function signUp(page: Page, link: string, person = PERSON): Promise<void> {
  await visit(page, link)
  await expect(page.getByRole('heading', { name: 'Create the first account' })).toBeVisible({ timeout: 60_000 })
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Name of this place').fill(person.place)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: /is ready$/ })).toBeVisible({ timeout: 60_000 })
}

export async function signIn(page: Page, origin: string): Promise<void> {
  await visit(page, `${origin}/sign-in`)
  await page.getByLabel('Email').fill(PERSON.email)
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
}

/** Fails the test when a page of the dashboard breaks its content security policy or throws. */
export function watchForFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text())
  })
  return faults
}

/** The rows of the terminal as a person reads them. */
export function terminalRows(page: Page): Locator {
  return page.locator('.xterm-rows')
}

/** Types a line and presses Enter, once the terminal is connected and ours. */
export async function typeLine(page: Page, line: string): Promise<void> {
  await expect(page.getByText('You type', { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

/**
 * Every byte that a session printed since its start, read the way a viewer reads: with a ticket of its own, from byte 0.
 * Ends when `last` was seen; rejects when the record has a gap.
 */
export async function readRecord(page: Page, from: { workloadId: string; dataUrl: string; last: string }): Promise<string> {
  return page.evaluate(async ({ workloadId, dataUrl, last }) => {
    const answer = await fetch('/api/trpc/workloads.ticket', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { workloadId, purpose: 'terminal-view' } }),
    })
    const { ticket } = (await answer.json()).result.data.json
    const socket = new WebSocket(dataUrl)
    socket.binaryType = 'arraybuffer'
    const decoder = new TextDecoder()
    return new Promise<string>((resolve, reject) => {
      let text = ''
      let next = 0n
      socket.onopen = () =>
        socket.send(
          JSON.stringify({
            type: 'hello',
            protocol: 1,
            ticket,
            mode: 'view',
            since: { workloadGen: 1, seq: 0 },
            cols: 80,
            rows: 24,
          }),
        )
      socket.onclose = (event) => reject(new Error(`closed with ${event.code} ${event.reason}`))
      socket.onmessage = ({ data }) => {
        if (typeof data === 'string') {
          if (JSON.parse(data).type === 'gap') reject(new Error(`gap: ${data}`))
          return
        }
        const view = new DataView(data)
        if (view.getUint8(0) !== 1) return
        if (view.getBigUint64(1) !== next) return reject(new Error(`byte ${next} expected, ${view.getBigUint64(1)} came`))
        next += BigInt(data.byteLength - 9)
        text += decoder.decode(new Uint8Array(data, 9), { stream: true })
        if (!text.includes(last)) return
        socket.onclose = null
        socket.close()
        resolve(text)
      }
    })
  }, from)
}
