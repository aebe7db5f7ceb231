import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import type { Bench, Measure } from '../lib/bench'
import { freePort, startProgram } from '../lib/process'
import { interleave, median } from '../lib/statistics'

const ROUNDS = 5
const BUILD_MS = 900_000
const USABLE_MS = 90_000
/** The launcher can be clicked: JupyterLab is there and knows its kernels. */
const LAUNCHER = '.jp-LauncherCard[data-category="Notebook"]'

/**
 * From the click on Resume (Berth) or Start My Server (JupyterHub, its default spawner, the same JupyterLab) to a launcher
 * that can be clicked, in the same browser: both have a home folder from before and a warm cache.
 */
export const notebook: Measure = async (bench) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const hub = await startHub(bench)
  try {
    const berthSide = await prepareBerth(bench, context)
    const hubSide = await prepareHub(hub.port, context)
    await berthSide.park()
    const seconds = await interleave(ROUNDS, { berth: berthSide.open, hub: hubSide.open })
    await berthSide.remove()
    return [
      { name: 'notebook_usable_over_jupyterhub', value: median(seconds.berth) / median(seconds.hub), unit: 'x', goal: '<=0.9' },
      { name: 'notebook_usable', value: median(seconds.berth), unit: 's', goal: '-' },
      { name: 'notebook_usable_jupyterhub', value: median(seconds.hub), unit: 's', goal: '-' },
    ]
  } finally {
    await context.close()
    await browser.close()
    await hub.stop()
  }
}

async function prepareBerth({ berth, person, say }: Bench, context: BrowserContext) {
  const page = await context.newPage()
  await person.signInWith(page)
  say('building the notebook environment')
  const { id } = await person.create('notebook', 'jupyterlab')
  await person.until(id, ['running'], BUILD_MS)
  await page.goto(`${berth.origin}/workloads/${id}`)
  const park = async () => {
    await person.call('workloads.park', { id })
    await person.until(id, ['parked'])
  }
  const open = async () => {
    await page.bringToFront() // a browser slows down what nobody looks at
    const resume = page.getByRole('button', { name: 'Resume' })
    await resume.waitFor({ timeout: USABLE_MS })
    const begin = performance.now()
    await resume.click()
    const [tab] = await Promise.all([context.waitForEvent('page'), openWhenShown(page)])
    await tab.locator(LAUNCHER).first().waitFor({ timeout: USABLE_MS })
    const took = (performance.now() - begin) / 1000
    await tab.close()
    await park()
    return took
  }
  return { park, open, remove: () => person.remove(id) }
}

/** The link stands there also while the notebook starts; it is clicked when it leads somewhere. */
async function openWhenShown(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click({ timeout: USABLE_MS })
}

async function prepareHub(port: number, context: BrowserContext) {
  const page = await context.newPage()
  const home = `http://127.0.0.1:${port}/hub/home`
  await page.goto(home)
  await page.locator('#username_input').fill(userInfo().username)
  await page.locator('#password_input').fill('bench')
  await page.locator('#login_submit').click()
  const stop = async () => {
    await page.goto(home)
    await page.locator('#stop').click()
    await page.locator('#start').filter({ hasText: 'Start' }).waitFor({ timeout: USABLE_MS })
  }
  const open = async () => {
    await page.bringToFront()
    await page.goto(home)
    const start = page.locator('#start')
    await start.waitFor({ timeout: USABLE_MS })
    const begin = performance.now()
    await start.click()
    await page.locator(LAUNCHER).first().waitFor({ timeout: USABLE_MS })
    const took = (performance.now() - begin) / 1000
    await stop()
    return took
  }
  await page.locator('#start').waitFor()
  await open() // the home folder and the browser's cache are there from now on
  return { open }
}

/** JupyterHub as its documentation starts it: local processes of the operating system's user, its own proxy. */
async function startHub({ peers }: Bench) {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-bench-hub-'))
  const [port, hubPort, apiPort] = [await freePort(), await freePort(), await freePort()]
  const config = `
c.JupyterHub.bind_url = 'http://127.0.0.1:${port}'
c.JupyterHub.hub_bind_url = 'http://127.0.0.1:${hubPort}'
c.JupyterHub.authenticator_class = 'dummy'
c.Authenticator.allow_all = True
c.DummyAuthenticator.password = 'bench'
c.ConfigurableHTTPProxy.command = ['${process.execPath}', '${peers.proxy}']
c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:${apiPort}'
c.Spawner.args = ['--allow-root']
c.Spawner.notebook_dir = '${folder}'
c.Spawner.default_url = '/lab'
c.Spawner.cmd = ['${peers.bin('jupyterhub-singleuser')}']
`
  writeFileSync(path.join(folder, 'jupyterhub_config.py'), config)
  const running = await startProgram([peers.bin('jupyterhub'), '-f', 'jupyterhub_config.py'], {
    ready: /JupyterHub is now running/,
    cwd: folder,
    env: { CONFIGPROXY_AUTH_TOKEN: 'bench' },
  })
  const stop = async () => {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, stop }
}
