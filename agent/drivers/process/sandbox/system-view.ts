import { existsSync, lstatSync, readlinkSync } from 'node:fs'

/** The parts of this machine's system that every sandbox sees, read-only. */
export type SystemView = {
  /** Folders bound as they are. */
  binds: readonly string[]
  /** Links at the root of a merged file system: `[target, link]`. */
  links: readonly (readonly [string, string])[]
}

const ROOT_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Certificates, alternatives, the linker's cache, time zone and fonts: nothing with a secret, nothing of other users. */
const ETC_PARTS = [
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/fonts',
  '/etc/terminfo',
]

/** Reads which of them this machine has. */
export function readSystemView(): SystemView {
  const roots = ROOT_FOLDERS.filter((path) => existsSync(path))
  const isLink = (path: string) => lstatSync(path).isSymbolicLink()
  return {
    binds: ['/usr', ...roots.filter((path) => !isLink(path)), ...ETC_PARTS.filter((path) => existsSync(path))],
    links: roots.filter(isLink).map((path) => [readlinkSync(path), path] as const),
  }
}
