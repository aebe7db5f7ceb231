import type { Db } from '@/server/store/db'
import { enterWorkload, type Opened, seedRunning, startGateway, type TestGateway } from './gateway'
import { type Origin, startOrigin } from './origin'
import { startSessionHost, type TestHost } from './session-host'

/** A workload with a web server behind its door, entered by its owner. */
export type OpenedDoor = {
  test: TestGateway
  opened: Opened
  origin: Origin
  /** The `Cookie` header with the owner's pass. */
  cookie: string
  /** Another workload with the same server behind it, for tests that end it. */
  another(): Promise<{ other: Opened; pass: string }>
  close(): Promise<void>
}

export async function openDoorOf(db: Db): Promise<OpenedDoor> {
  const test = await startGateway(db)
  const origin = await startOrigin()
  const another = async () => {
    const other = await seedRunning(test)
    test.setDoor(other.placementId, 'main', origin.socketPath)
    return { other, pass: await enterWorkload(test, other) }
  }
  const { other: opened, pass: cookie } = await another()
  const close = async () => {
    await test.close()
    await origin.close()
  }
  return { test, opened, origin, cookie, another, close }
}

/** A session with a shell in a real session-host. */
export type OpenedSession = { test: TestGateway; opened: Opened; host: TestHost; close(): Promise<void> }

export async function openSessionOf(db: Db): Promise<OpenedSession> {
  const test = await startGateway(db)
  const opened = await seedRunning(test)
  const host = await startSessionHost(test, opened)
  const close = async () => {
    await test.close()
    await host.end()
  }
  return { test, opened, host, close }
}
