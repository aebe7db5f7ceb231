/** A picture of a notebook that may be drawn: it is what it says, and of a size that a page can hold. */
export type SafeImage = { src: string; width: number; height: number }

const BASE64_CHARS_MAX = 11_000_000
const SIDE_MAX = 10_000
const PIXELS_MAX = 40_000_000
/** How far into a JPEG its size may lie: profiles and previews come before it. */
const HEAD_BYTES = 300_000

type Size = { width: number; height: number }
/** Formats that carry no program, by their first bytes. SVG is none of them. */
const FORMATS: Readonly<Record<string, (bytes: Uint8Array) => Size | null>> = { 'image/png': pngSize, 'image/jpeg': jpegSize }
export const IMAGE_TYPES: readonly string[] = Object.keys(FORMATS)

/** Checks a picture by its bytes; null when it is none, is something else or is too large. Pure. */
export function safeImage(type: string, base64: string): SafeImage | null {
  const text = base64.replace(/\s+/g, '')
  if (text.length > BASE64_CHARS_MAX || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const head = headOf(text)
  const size = head && FORMATS[type]?.(head)
  if (!size || size.width < 1 || size.height < 1) return null
  if (size.width > SIDE_MAX || size.height > SIDE_MAX || size.width * size.height > PIXELS_MAX) return null
  return { src: `data:${type};base64,${text}`, ...size }
}

function headOf(text: string): Uint8Array | null {
  const chars = Math.min(text.length, Math.ceil(HEAD_BYTES / 3) * 4)
  try {
    return Uint8Array.from(atob(text.slice(0, chars)), (char) => char.charCodeAt(0))
  } catch {
    return null // no base64 after all
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function pngSize(bytes: Uint8Array): Size | null {
  if (bytes.length < 24 || PNG.some((byte, i) => bytes[i] !== byte)) return null
  const view = new DataView(bytes.buffer)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Goes from part to part until the one that says the size. */
function jpegSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer)
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const mark = view.getUint8(at + 1)
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}
