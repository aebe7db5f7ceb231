import headless from '@xterm/headless'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { because } from '@/domain/reasons'
import { ConnectionEvents } from './connection-events'
import { drawRefusals } from './own-lines'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const LINE = '[Berth refused a connection to a.example; Network, on the page of this session'

/** A terminal on which a program has printed this, and what it shows after a refusal. */
async function shown(printed: string, during: (events: ConnectionEvents) => void = () => undefined) {
  const terminal = new headless.Terminal({ allowProposedApi: true, cols: 79, rows: 4 })
  const write = (data: string) => new Promise<void>((done) => terminal.write(data, done))
  const events = new ConnectionEvents()
  const end = drawRefusals(terminal as unknown as Parameters<typeof drawRefusals>[0], events)
  const parsed = write(printed)
  await vi.advanceTimersByTimeAsync(20)
  await parsed
  events.emit('notice', { reason: because('egress_denied', { host: 'a.example' }) })
  events.emit('notice', { reason: because('park_forced', { seconds: 5 }) })
  during(events)
  await vi.advanceTimersByTimeAsync(200)
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
  const { cursorX, cursorY, baseY } = active
  end()
  return { rows: rows.slice(0, baseY + cursorY + 1), at: [cursorX, baseY + cursorY] }
}

it.each([
  ['a line that begins', 'one\r\n', ['one', LINE, ''], [0, 2]],
  ['a prompt', 'one\r\n$ cu', ['one', LINE, '$ cu'], [4, 2]],
  ['a prompt on the last row', 'one\r\ntwo\r\nthree\r\n$ cu', ['one', 'two', 'three', LINE, '$ cu'], [4, 4]],
  ['a full-screen program', '\x1b[?1049hvi', ['vi'], [2, 0]],
])('a refused host is one line above %s', async (...[, printed, rows, at]) => {
  expect(await shown(printed)).toEqual({ rows, at })
})

it('waits until output rests, so that it never stands inside a sequence', async () => {
  const streaming = (events: ConnectionEvents) => {
    for (let ms = 0; ms < 200; ms += 50) setTimeout(() => events.emit('output', { bytes: new Uint8Array(1), seq: 0 }), ms)
  }
  expect((await shown('$ cu', streaming)).rows).toEqual(['$ cu'])
})
