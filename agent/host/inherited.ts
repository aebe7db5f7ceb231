import { closeSync, readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/** Closes what this process inherited beside its standard streams: whoever started the agent may have left it open, and a sandbox would get it. */
export function closeInherited(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd > 2 && isInheritable(fd)) closeSync(fd)
  }
}

/** Everything that Node opened itself is marked to be closed in children. */
function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    return false // It was the descriptor of the listing itself.
  }
}
