// What the tests need beside Node. As root on Debian it is installed; elsewhere the one line to run is printed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { StartError } from './places.mjs'
import { run } from './steps.mjs'

const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
const NEEDED = [
  { apt: ['bubblewrap'], has: () => works('bwrap', '--version') },
  { apt: ['chromium', 'fonts-liberation'], has: () => existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') },
  { apt: ['postgresql'], has: () => existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').length > 0 },
  { apt: ['python3', 'python3-venv'], has: () => works('/usr/bin/python3', '-c', 'import venv, ensurepip') },
  { apt: ['iproute2'], has: () => works('ip', '-V') },
  { apt: ['util-linux'], has: () => works('unshare', '--version') },
  { apt: ['openssh-server', 'openssh-client'], has: () => existsSync('/usr/sbin/sshd') && existsSync('/usr/bin/ssh') },
  { apt: ['g++', 'make'], has: () => works('g++', '--version') && works('make', '--version') },
]

/** Installs what is missing, or throws one sentence with the line to run. */
export async function requirePrerequisites() {
  const missing = NEEDED.filter((n) => !n.has()).flatMap((n) => n.apt)
  if (missing.length === 0) return
  const line = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new StartError(`the tests need: ${line}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('refreshing the package list', ['apt-get', 'update', '-qq'], { env })
  const result = await run(`installing ${missing.join(', ')}`, line.split(' '), { env })
  const still = NEEDED.filter((n) => !n.has()).flatMap((n) => n.apt)
  if (still.length > 0)
    throw new StartError(`the tests need ${still.join(', ')}, which could not be installed:\n${result.output.slice(-2000)}`)
}
