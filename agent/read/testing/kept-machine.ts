import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http2 from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { createLog } from '@/kit/log'
import { READ_INFO_HEADER, type ReadAsk, readInfo, type SearchAsk, searchAnswer } from '@/protocol/read'
import { instancePaths } from '../../host/host-launch'
import { RecordTimes } from '../../host/record-times'
import { SegmentLog } from '../../host/segment-log'
import { serveRead } from '../serve-read'

/** A data folder with instances in it, read over a real HTTP/2 connection as the controller does. */
export async function keptMachine() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kept-'))
  const server = http2.createServer()
  const log = createLog('read', { level: 'silent' })
  server.on('request', async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const asked = { path: request.url, body: JSON.parse(Buffer.concat(parts).toString()) }
    await serveRead({ dataDir, log }, asked, response).catch(() => response.stream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = http2.connect(`http://127.0.0.1:${port}`)
  return {
    dataDir,
    add: (change: Partial<Added> = {}) => addInstance(dataDir, change),
    ask: (path: string, body: unknown) => ask(client, path, body),
    read: async (change: Partial<ReadAsk> & { workloadId: string }) => ask(client, '/v1/read', { ...READ, ...change }),
    search: async (change: Partial<SearchAsk> & { workloadId: string; text: string }) => {
      const given = await ask(client, '/v1/search', { placementId: null, source: 'terminal', limit: 50, ...change })
      return searchAnswer.parse(JSON.parse(await given.text()))
    },
    close: async () => {
      client.destroy()
      server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const READ = { placementId: null, source: 'terminal', format: 'raw', tailBytes: null, isFollowed: false }

type Added = { workloadId: string; workloadGen: number; phase: string; segmentBytes: number; bytesMax: number }

function addInstance(dataDir: string, change: Partial<Added>) {
  const placementId = uuidv7()
  const all = { workloadId: uuidv7(), workloadGen: 1, phase: 'stopped', segmentBytes: 1 << 20, bytesMax: 1 << 24, ...change }
  const { workloadId, workloadGen } = all
  const paths = instancePaths(join(dataDir, 'instances', placementId))
  mkdirSync(paths.logDir, { recursive: true })
  const setPhase = (phase: string) =>
    writeFileSync(paths.recordFile, JSON.stringify({ spec: { workloadId, workloadGen, placementId }, phase, code: 'ok' }))
  setPhase(all.phase)
  let now = Date.UTC(2026, 0, 2, 3, 4, 5)
  const open = (dir: string) => {
    const times = new RecordTimes({ cols: 80, rows: 24 }, () => now)
    return { times, log: new SegmentLog(dir, { segmentBytes: all.segmentBytes, bytesMax: all.bytesMax, tailBytes: 0, times }) }
  }
  const logs = { terminal: open(paths.recordDir), output: open(paths.serviceDir) }
  return {
    workloadId,
    placementId,
    paths,
    setPhase,
    /** Prints so many milliseconds after what was printed before. */
    print: (text: string, afterMs = 0, source: 'terminal' | 'output' = 'terminal') => {
      now += afterMs
      logs[source].log.append(Buffer.from(text))
    },
    resize: (cols: number, rows: number) => logs.terminal.times.resized({ cols, rows }),
  }
}

/** One question; the answer's bytes come as they arrive. */
function ask(client: http2.ClientHttp2Session, path: string, body: unknown) {
  const stream = client.request({ ':method': 'POST', ':path': path })
  stream.end(JSON.stringify(body))
  const pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise<boolean>((resolve) => {
    stream.once('close', () => resolve(stream.rstCode === 0))
    stream.on('error', () => undefined)
  })
  return new Promise<Answered>((resolve) => {
    stream.once('response', (headers) => {
      const told = headers[READ_INFO_HEADER]
      resolve({
        status: Number(headers[':status']),
        info: typeof told === 'string' ? readInfo.parse(JSON.parse(told)) : null,
        soFar: () => Buffer.concat(pieces).toString(),
        text: async () => {
          if (!(await ended)) throw new Error('the answer broke off')
          return Buffer.concat(pieces).toString()
        },
        leave: () => stream.close(http2.constants.NGHTTP2_CANCEL),
      })
    })
  })
}
type Answered = {
  status: number
  info: ReturnType<typeof readInfo.parse> | null
  soFar(): string
  text(): Promise<string>
  leave(): void
}
