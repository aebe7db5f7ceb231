import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where this process runs: what it prints to, and what its environment says of a desktop. */
export type Desk = { isTerminal: boolean; platform: NodeJS.Platform; environment: Record<string, string | undefined> }

/** How long the page that leads to the link stays on disk. */
const PAGE_MS = 30_000
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', darwin: 'open' }

/** A person sits here: a terminal of a desktop of this very computer, not a remote one, a service or a robot. */
export function isInteractiveDesktop({ isTerminal, platform, environment }: Desk): boolean {
  const isRemote = ['SSH_CONNECTION', 'SSH_TTY', 'SSH_CLIENT'].some((name) => environment[name])
  if (!isTerminal || isRemote || environment.CI) return false
  return platform === 'darwin' || (platform === 'linux' && Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY))
}

/**
 * Opens a link in this desktop's browser, as a courtesy: a failure changes nothing, the link is printed anyway. The link may
 * hold a secret and command lines are public, so that the browser is given a private page that goes there.
 */
export function openInBrowser(link: string, options: { home: string; platform?: NodeJS.Platform }): void {
  const opener = OPENERS[options.platform ?? process.platform]
  if (!opener) return
  const page = path.join(options.home, 'open.html')
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><title>Berth</title>\n`, { mode: 0o600 })
  const remove = () => rmSync(page, { force: true })
  setTimeout(remove, PAGE_MS).unref()
  process.once('exit', remove)
  const child = spawn(/* turbopackIgnore: true */ opener, [pathToFileURL(page).href], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined) // No such program: the person has the printed link.
  child.unref()
}
