import { afterEach } from 'vitest'
import { readControl } from '@/server/store/system/control'
import type { OpenedSession } from './opened-workload'
import { attachWindow, type TerminalWindow } from './terminal-window'
import { until } from './until'

/** Windows on a session: each test ends its own, and the next begins when nobody holds control. Call it where tests are described. */
export function sessionWindows(session: () => OpenedSession) {
  const windows: TerminalWindow[] = []
  const stored = () => readControl(session().test.db, session().opened.workload.id, session().test.clock.now())
  const attach = async (asked: Parameters<typeof attachWindow>[2] = {}, at = session().opened) => {
    const window = await attachWindow(session().test, at, asked)
    windows.push(window)
    return window
  }
  afterEach(async () => {
    for (const window of windows.splice(0)) {
      window.socket.close(1000)
      await window.end()
    }
    await until('nobody holds it', async () => (await stored()).holder === null)
  })
  return { stored, attach }
}
