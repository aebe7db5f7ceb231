import { Socket } from 'node:net'

const BUFFER_BYTES = 65_536

/**
 * Reads a pseudo-terminal into one buffer instead of a new one of 64 KiB for each few bytes: what the `onread` option of
 * a Node socket does, which node-pty does not hand on. `take` must copy what it keeps. Called before anything was read.
 * Returns false where Node keeps these parts elsewhere: its output is read by events then, a quarter slower.
 */
export function readInto(pty: object, take: (bytes: Buffer) => void): boolean {
  const socket: unknown = Reflect.get(pty, '_socket')
  if (!(socket instanceof Socket)) return false
  const handle: unknown = Reflect.get(socket, '_handle')
  const [kept, told] = ['kBuffer', 'kBufferCb'].map((name) =>
    Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === name),
  )
  if (!kept || !told || !takesBuffer(handle)) return false
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of Node's, no hook.
  handle.useUserBuffer(buffer)
  Reflect.set(socket, kept, buffer)
  Reflect.set(socket, told, (count: number) => {
    take(buffer.subarray(0, count))
    return true
  })
  return true
}

function takesBuffer(handle: unknown): handle is { useUserBuffer(buffer: Uint8Array): void } {
  return typeof handle === 'object' && handle !== null && typeof Reflect.get(handle, 'useUserBuffer') === 'function'
}
