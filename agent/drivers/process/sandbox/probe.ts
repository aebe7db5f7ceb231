import { readFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { FIRST_UID } from '../uids'
import { runCommand } from './run-command'
import { runOnce } from './run-once'
import { isSeccompArch } from './seccomp'

/** Does the sandbox work here? When not: what is missing, and the one command that helps. */
export type SandboxProbe = { works: true } | { works: false; detail: string; fix: string | null }

const PROBE_MS = 15_000
/** Programs that the sandbox is made with, and the package that brings each. */
const PROGRAMS = { bwrap: 'bubblewrap', unshare: 'util-linux', setpriv: 'util-linux', prlimit: 'util-linux', ip: 'iproute2' }

/** Judges the sandbox by running one exactly as an instance's: namespaces, filter and all. */
export async function probeSandbox(isRoot: boolean): Promise<SandboxProbe> {
  const processor = arch()
  if (process.platform !== 'linux') return missing('the sandbox needs Linux', null)
  if (!isSeccompArch(processor)) return missing(`no system call filter for ${processor}`, null)
  for (const [program, debianPackage] of Object.entries(PROGRAMS)) {
    if ((await runCommand([program, '--version'])).isMissing)
      return missing(`${program} is not installed`, `apt install ${debianPackage}`)
  }
  const uid = isRoot ? FIRST_UID : null
  const { code } = await runOnce({ isRoot, uid, binds: [], environment: {}, command: ['/usr/bin/true'], timeoutMs: PROBE_MS })
  return code === 0 ? { works: true } : await whyNot()
}

/** Known refusals of a kernel or distribution, by the setting that makes them. */
const REFUSALS = [
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    refuses: '1',
    detail: 'AppArmor refuses user namespaces to bubblewrap',
    fix: "echo 'profile berth /usr/bin/{bwrap,unshare} flags=(unconfined) { userns, }' | sudo tee /etc/apparmor.d/berth && sudo apparmor_parser -r /etc/apparmor.d/berth",
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    refuses: '0',
    detail: 'the kernel refuses user namespaces to ordinary users',
    fix: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    file: '/proc/sys/user/max_user_namespaces',
    refuses: '0',
    detail: 'the kernel allows no user namespaces',
    fix: 'sudo sysctl -w user.max_user_namespaces=10000',
  },
] as const

async function whyNot(): Promise<SandboxProbe> {
  for (const { file, refuses, detail, fix } of REFUSALS) {
    const value = await readFile(file, 'utf8').catch(() => '')
    if (value.trim() === refuses) return missing(detail, fix)
  }
  const version = await bubblewrapVersion()
  if (version && isOlder(version, [0, 8])) return missing(`bubblewrap ${version} is older than 0.8`, 'apt install bubblewrap')
  return missing('bubblewrap does not run here; inside another container it is often refused', null)
}

/** The installed version, or null. */
export async function bubblewrapVersion(): Promise<string | null> {
  const { stdout } = await runCommand(['bwrap', '--version'])
  return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? null
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a < major || (a === major && b < minor)
}

function missing(detail: string, fix: string | null): SandboxProbe {
  return { works: false, detail, fix }
}
