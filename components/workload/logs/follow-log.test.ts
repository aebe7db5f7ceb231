import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { followLog, type LogStatus } from './follow-log'
import { LogLines } from './log-lines'

let server: Server | null = null
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

/** A data host that gives one answer after the other. */
async function hostOf(answers: RequestListener[]): Promise<string> {
  let next = 0
  const made = createServer((request, response) => (answers[next++] ?? refuse(404, 'not_found'))(request, response))
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  const address = made.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const bytes =
  (text: string, { fromByte = 0, run = 'p1', isCut = false } = {}): RequestListener =>
  (_, response) => {
    const head = { placementId: run, workloadGen: 1, fromByte, endByte: fromByte + text.length }
    response.writeHead(200, { 'berth-read': JSON.stringify(head) })
    response.write(text, () => (isCut ? response.destroy() : response.end()))
  }
const refuse =
  (status: number, code: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code, message: `said ${code}` }))

async function follow(
  answers: RequestListener[],
  isComing = false,
): Promise<{ lines: string[]; statuses: LogStatus[]; waits: number[] }> {
  const [log, statuses, waits]: [LogLines, LogStatus[], number[]] = [new LogLines(), [], []]
  const origin = await hostOf(answers)
  let tickets = 0
  await followLog(
    {
      ...{ origin, source: 'output', isFollowed: true, isComing, log },
      getTicket: async () => `t${tickets++}`,
      onChange: (status) => statuses.push(status),
      wait: async (ms) => {
        waits.push(ms)
      },
    },
    AbortSignal.timeout(20_000),
  )
  return { lines: log.lines.map((line) => line.text), statuses, waits }
}

it('a lost connection is taken up again: no byte twice, none missing', async () => {
  const { lines, statuses } = await follow([bytes('one\ntw', { isCut: true }), bytes('one\ntwo\nthree')])
  expect(lines).toEqual(['one', 'two', 'three'])
  expect(statuses.map((status) => status.is)).toContain('waiting')
  expect(statuses.at(-1)).toEqual({ is: 'ended' })
})

it('bytes that the machine does not keep any more are said to be missing', async () => {
  const { lines } = await follow([bytes('one\n', { isCut: true }), bytes('nine\n', { fromByte: 1028 })])
  expect(lines).toEqual(['one', '1 KiB before this not shown; the download has what is kept', 'nine'])
})

it('another run of the same workload begins below a line that says so', async () => {
  const { lines } = await follow([bytes('old\n', { isCut: true }), bytes('new\n', { run: 'p2' })])
  expect(lines).toEqual(['old', 'Started again, generation 1', 'new'])
})

it('a machine that is away is asked again, less and less often; a refusal is final and says why', async () => {
  const away = refuse(503, 'unreachable')
  const { statuses, waits } = await follow([away, away, away, refuse(403, 'forbidden')])
  expect(waits).toEqual([500, 1000, 2000])
  expect(statuses.at(-1)).toEqual({ is: 'refused', code: 'forbidden', why: 'Said forbidden.' })
})

it('what is being started has no log yet: it is waited for', async () => {
  const { lines } = await follow([refuse(404, 'not_found'), bytes('first\n')], true)
  expect(lines).toEqual(['first'])
})
