/** A path on a machine: absolute, without `.`, `..`, doubled or closing slashes. Apart from its schema: pages use it too. */
export const HOST_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\n\r]+)+$/

/** Is the path the folder itself or something below it? Compares text: the machine resolves links before it trusts. Pure. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
