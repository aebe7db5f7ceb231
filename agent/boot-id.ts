import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Names this boot of the machine: what ran before another one is gone. */
export function readBootId(): string {
  return process.platform === 'linux' ? fromProc() : fromSysctl()
}

function fromProc(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
}

/** macOS and the BSDs: the second at which the kernel booted. */
function fromSysctl(): string {
  const text = execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'latin1', timeout: 5000 })
  const seconds = /sec = (\d+)/.exec(text)?.[1] ?? text.trim().slice(0, 60)
  return `boot-${seconds}`
}
