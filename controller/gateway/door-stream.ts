import type { Duplex } from 'node:stream'
import type { WorkloadBackend } from '@/backends/backend'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import { askPort } from '@/protocol/ports'

const CONNECT_MS = 5000
const PORT = 'port'

/** A stream to a door of an instance, within 5 s. The bound ends with the connecting: it never cuts an open stream. */
export async function openDoor(backend: Pick<WorkloadBackend, 'connect'>, instance: Instance, door: Door): Promise<Duplex> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), CONNECT_MS)
  try {
    const stream = await backend.connect(instance, door, late.signal)
    if (typeof door !== 'number' || (await askPort(stream, door, late.signal))) return stream
    stream.destroy()
    late.signal.throwIfAborted() // no answer in time is none
    throw new AppError('not_found', { what: PORT })
  } finally {
    clearTimeout(timer)
  }
}

/** Did the instance answer, and say that nothing listens at the port that was asked for? */
export function isPortClosed(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found' && error.args.what === PORT
}
