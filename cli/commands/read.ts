import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { KINDS } from '@/domain/kinds'
import { addresses } from '@/domain/settings'
import type { WorkloadView } from '@/domain/views'
import type { Cli } from '../cli'
import { Failure } from '../failure'
import { findWorkload } from '../find-workload'
import { send, textOf } from '../http'
import { tell } from '../output'

type LogOptions = { follow?: boolean; build?: boolean; tail?: string; start?: string }
type RecordOptions = { raw?: boolean; start?: string }
const START = 'of an earlier start, by the generation that its page shows'
const refused = z.object({ code: z.string(), message: z.string() })

/** `logs` and `record`: what a workload printed, also when it is parked or failed. */
export function addRead(program: Command, cli: Cli): void {
  program
    .command('logs <name>')
    .description('print the output of a notebook or endpoint, or what a session printed')
    .option('-f, --follow', 'go on with what is printed from now on')
    .option('--build', "the output of its environment's build")
    .option('--tail <bytes>', 'only the last so many bytes')
    .option('--start <generation>', START)
    .action((name: string, given: LogOptions) => logs(cli, name, given))
  program
    .command('record <name> [file]')
    .description("save a session's terminal as an asciicast; - is standard output")
    .option('--raw', 'the bytes alone, without times')
    .option('--start <generation>', START)
    .action((name: string, file: string | undefined, given: RecordOptions) => record(cli, name, { file, ...given }))
}

async function logs(cli: Cli, name: string, { follow = false, build = false, tail, start }: LogOptions): Promise<void> {
  if (tail !== undefined && !/^[1-9]\d{0,11}$/.test(tail)) throw new Failure('--tail: a number of bytes', { exitCode: 2 })
  const workload = await findWorkload(cli.api, name)
  if (workload.workloadGen === 0) throw new Failure(`${name} has no logs yet: it is ${workload.state}`)
  const placementId = await startOf(cli, workload, start)
  if (workload.kind === 'session' && !build) {
    if (follow) throw new Failure(`${name} is a session: \`npm run berth -- attach --view ${name}\` follows it`)
    const answer = await read(cli, workload, { purpose: 'record', path: '/record', body: { format: 'raw', placementId } })
    if (tail === undefined) return pipeline(answer, process.stdout, { end: false })
    return pipeline(answer, (source) => lastBytes(source, Number(tail)), process.stdout, { end: false })
  }
  const source = build ? 'build' : 'output'
  const body = { source, placementId, tailBytes: tail === undefined ? null : Number(tail), isFollowed: follow }
  const answer = await read(cli, workload, { purpose: 'logs', path: '/logs', body })
  await pipeline(answer, process.stdout, { end: false })
}

/** The last so many bytes of what a stream brings, once it has ended; hardly more than those are held. */
async function* lastBytes(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    kept.push(chunk)
    size += chunk.length
    while (size - (kept[0]?.length ?? 0) >= most) size -= kept.shift()?.length ?? 0
  }
  yield Buffer.concat(kept).subarray(-most)
}

async function record(cli: Cli, name: string, given: RecordOptions & { file: string | undefined }): Promise<void> {
  const workload = await findWorkload(cli.api, name)
  if (workload.kind !== 'session') throw new Failure(`${name} is ${KINDS[workload.kind].one}: only a session has a record`)
  if (workload.workloadGen === 0) throw new Failure(`${name} has no record yet: it is ${workload.state}`)
  const file = given.file ?? `${name}.${given.raw ? 'log' : 'cast'}`
  const body = { format: given.raw ? 'raw' : 'asciicast', placementId: await startOf(cli, workload, given.start) }
  const answer = await read(cli, workload, { purpose: 'record', path: '/record', body })
  if (file === '-') return pipeline(answer, process.stdout, { end: false })
  await pipeline(answer, createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure(cause.code === 'EEXIST' ? `${file} exists already` : `${file} cannot be written (${cause.message})`, {
      cause,
    })
  })
  tell(`saved as ${file}`)
}

/** The placement of a start that is kept; null, the newest, when none was asked for. */
async function startOf(cli: Cli, { id }: WorkloadView, start: string | undefined): Promise<string | null> {
  if (start === undefined) return null
  const starts = await cli.api.query('workloads', 'starts', { id })
  const found = starts.find(({ workloadGen }) => String(workloadGen) === start)
  const kept = starts.map(({ workloadGen }) => workloadGen).join(', ') || 'none'
  if (!found) throw new Failure(`--start: ${start} is not kept; there are ${kept}`, { exitCode: 2 })
  return found.placementId
}

type Ask = { purpose: 'logs' | 'record'; path: string; body: object }

async function read(cli: Cli, workload: WorkloadView, { purpose, path, body }: Ask): Promise<IncomingMessage> {
  const { ticket } = await cli.api.mutate('workloads', 'ticket', { workloadId: workload.id, purpose })
  const { dataHost, gatewayPort } = addresses(cli.port)
  const answer = await send({
    port: gatewayPort,
    host: dataHost,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Ticket ${ticket}` },
    body: JSON.stringify(body),
  })
  if (answer.statusCode === 200) return answer
  const told = refused.safeParse(jsonOf(await textOf(answer))).data
  throw new Failure(told?.message ?? `the gateway answered with status ${answer.statusCode}`, told ? { code: told.code } : {})
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not an answer of the data host; the schema refuses null
  }
}
