import type { Duplex } from 'node:stream'
import type { WorkloadBackend } from '@/backends/backend'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import { askPort } from '@/protocol/ports'

const CONNECT_MS = 5000

/** A stream to a door of an instance, within 5 s. The bound ends with the connecting: it never cuts an open stream. */
export async function openDoor(backend: Pick<WorkloadBackend, 'connect'>, instance: Instance, door: Door): Promise<Duplex> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), CONNECT_MS)
  try {
    const stream = await backend.connect(instance, door, late.signal)
    if (typeof door !== 'number' || (await askPort(stream, door, late.signal))) return stream
    stream.destroy()
    throw new AppError('not_found', { what: 'port' })
  } finally {
    clearTimeout(timer)
  }
}
