/** A path on a machine: absolute, without `.`, `..`, doubled or closing slashes. Apart from its schema: pages use it too. */
export const HOST_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\n\r]+)+$/
