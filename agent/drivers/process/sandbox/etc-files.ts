import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxBind } from './bwrap-arguments'
import { SANDBOX_HOST, SANDBOX_UID } from './bwrap-arguments'
import { HOME } from './sandbox-environment'

const PROMPT = `if [ "$PS1" ]; then
  PS1='\\[\\e[36m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ '
  alias ls='ls --color=auto' 2>/dev/null
fi
`

/** The only user database, host names and shell start-up of a sandbox; nothing of the machine's is shown. */
const FILES = {
  passwd: `berth:x:${SANDBOX_UID}:${SANDBOX_UID}:berth:${HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: `berth:x:${SANDBOX_UID}:\nnogroup:x:65534:\n`,
  hosts: `127.0.0.1 localhost ${SANDBOX_HOST}\n::1 localhost\n`,
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  // No resolver inside: names are resolved by the machine's egress process.
  'resolv.conf': '',
  profile: PROMPT,
  'bash.bashrc': PROMPT,
} as const

/** Writes them; the sandbox's user reads them, whoever it is. */
export async function writeEtcFiles(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  await chmod(dir, 0o755)
  for (const [name, text] of Object.entries(FILES)) {
    await writeFile(join(dir, name), text)
    await chmod(join(dir, name), 0o644)
  }
}

/** Pure: where they go. */
export function etcBinds(dir: string): SandboxBind[] {
  return Object.keys(FILES).map((name) => ({ source: join(dir, name), target: join('/etc', name), mode: 'read', within: dir }))
}
