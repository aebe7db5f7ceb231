/** A path on a machine: absolute, without `.`, `..`, doubled or closing slashes. Apart from its schema: pages use it too. */
export const HOST_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\n\r]+)+$/

/** A folder as people and shells write it, `/data/`, is the folder `/data`. Pure. */
export function withoutClosingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Is the path the folder itself or something below it? Compares text: the machine resolves links before it trusts. Pure. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
