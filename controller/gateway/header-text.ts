/** Is there a sign in a header's value that has no place there? Only a tab may stand among the visible ones. Pure. */
export function hasControl(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true
  }
  return false
}
