import { open, realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { runCommand } from '../sandbox/run-command'

/** The uv of this machine, as a file that can be shown to a sandbox. */
export type Uv = { path: string; version: string }

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])

/** Finds a real uv; a shim (a script that looks for another program) is none. */
export async function findUv(searchPath = process.env.PATH ?? ''): Promise<Uv | null> {
  for (const folder of searchPath.split(delimiter)) {
    const path = await realpath(join(folder, 'uv')).catch(() => null)
    if (path === null || !(await isProgram(path))) continue
    const { code, stdout } = await runCommand([path, '--version'])
    const version = /^uv (\d+\.\d+\.\d+)/.exec(stdout)?.[1]
    if (code === 0 && version) return { path, version }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null)
  if (!file) return false
  try {
    const { buffer } = await file.read(Buffer.alloc(ELF.byteLength), 0, ELF.byteLength, 0)
    return buffer.equals(ELF)
  } finally {
    await file.close()
  }
}
