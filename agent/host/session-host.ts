import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '@/domain/limits'
import type { Log } from '@/kit/log'
import { PORTS_DOOR } from '@/protocol/paths'
import type { StartFault } from '@/protocol/terminal'
import { programOf } from './besides'
import type { Child } from './child'
import { startChild } from './child'
import { endChild } from './end-child'
import { Execs } from './exec'
import type { HostLaunch } from './host-launch'
import { instancePaths, MAIN_PORT, marker, PROXY_PORT } from './host-launch'
import { HostState } from './host-state'
import { prepareNamespace } from './namespace'
import { openPortsDoor } from './ports-door'
import { startTime } from './process-table'
import { RecordTimes } from './record-times'
import { openRelay } from './relay'
import { sandboxInit } from './sandbox-status'
import { SegmentLog } from './segment-log'
import { startFaultOf } from './start-fault'
import { TerminalServer } from './terminal-server'

const TAIL_BYTES = 1024 * 1024
const TELL_AGAIN_MS = 500
/** Exit codes from here on are signals': such a program was ended. */
const SIGNALLED = 128
const SERVICE_LOG_BYTES_MAX = 16 * 1024 * 1024

/** What a running session-host can be told. */
export type SessionHost = { end(): Promise<void> }

/** Where the program's bytes go. */
type Sink = {
  output(bytes: Buffer): void
  exited(code: number): void
  use(child: Child): void
  /** Opens its door: whoever comes in finds the program there, to type to. */
  open(): Promise<void>
  close(): void
}

/**
 * Runs one terminal or service until it is told to end: claims the instance, opens its doors, starts the program and
 * stays when the program ends, so that its owner may look. Rejects when another host has the instance.
 */
export async function runSessionHost(launch: HostLaunch, log: Log): Promise<SessionHost> {
  const paths = instancePaths(launch.instanceDir)
  const state = claim(launch, paths.hostFile)
  mkdirSync(dirname(launch.doors.main), { recursive: true, mode: 0o700 })
  const sink = launch.kind === 'terminal' ? terminal(launch, paths.recordDir) : serviceLog(paths.serviceDir)
  const [servers] = await Promise.all([openDoors(launch), state.listen(launch.doors.state)])
  // What an earlier host of this instance left would be read as this program's, until its wrapper has emptied the file.
  if (launch.statusFile !== null) rmSync(launch.statusFile, { force: true })
  const { child, ended } = start(launch, sink)
  const started = own(child.pid)
  const [init] = await Promise.all([launch.statusFile === null ? null : sandboxInit(launch.statusFile, ended), sink.open()])
  const first = launch.statusFile === null ? started : init
  state.update({ childPid: first?.pid ?? null, childStart: first?.start ?? null })
  log.info('program started', { childPid: first?.pid ?? null })
  // Only now: an exit code without a program would say that none could be started.
  void ended.then(async (code) => {
    log.info('program ended', { code })
    await tellEnd(state, { exitCode: code, ...(first === null && code < SIGNALLED ? await faultOf(launch) : {}) })
  })
  return {
    end: async () => {
      const running = {
        kind: launch.kind,
        started,
        sandboxInit: init,
        marker: marker(launch.placementId),
        ended: ended.then(() => undefined),
      }
      const { forced } = await endChild(running, launch.graceMs)
      log.info('ended', { forced })
      if (forced) writeFileSync(paths.forcedFile, '', { mode: 0o600 })
      sink.close()
      state.close()
      for (const server of servers) server.close()
      rmSync(dirname(launch.doors.main), { recursive: true, force: true })
    },
  }
}

/** Of a session's program that never began. A server's is Berth's own. */
async function faultOf(launch: HostLaunch): Promise<{ startFault?: StartFault }> {
  const fault = launch.kind === 'terminal' ? await startFaultOf(launch, programOf(launch)) : null
  return fault === null ? {} : { startFault: fault }
}

/** Where the disk has no room for it now, again until it has: a full disk ends no session. */
async function tellEnd(state: HostState, end: { exitCode: number; startFault?: StartFault }): Promise<void> {
  for (;;) {
    try {
      return state.update(end)
    } catch {
      await wait(TELL_AGAIN_MS) // ends with the host at the latest
    }
  }
}

function claim(launch: HostLaunch, path: string): HostState {
  const { protocol, placementId, workloadId, workloadGen, bootId, kind } = launch
  const host = own(process.pid)
  return new HostState(path, {
    ...{ protocol, placementId, workloadId, workloadGen, bootId, kind },
    ...{ hostPid: host.pid, hostStart: host.start, childPid: null, childStart: null, exitCode: null },
  })
}

function own(pid: number): { pid: number; start: string } {
  return { pid, start: startTime(pid) ?? 'ended' }
}

/** They lead into or out of the own network namespace. Without one the port would be the machine's: there is no `main` door then. */
async function openDoors({ doors, namespace, kind }: HostLaunch): Promise<Server[]> {
  if (namespace === null) return []
  prepareNamespace(namespace)
  const reserved = kind === 'service' ? [MAIN_PORT, PROXY_PORT] : [PROXY_PORT]
  return Promise.all([
    openPortsDoor(join(dirname(doors.main), `${PORTS_DOOR}.sock`), reserved),
    openRelay({ path: doors.main }, { host: '127.0.0.1', port: MAIN_PORT }),
    openRelay({ host: '127.0.0.1', port: PROXY_PORT }, { path: namespace.egressSocket }),
  ])
}

function terminal(launch: HostLaunch, recordDir: string): Sink {
  const times = new RecordTimes({ cols: launch.cols, rows: launch.rows })
  const log = new SegmentLog(recordDir, {
    times,
    segmentBytes: LIMITS.recordSegmentBytes,
    bytesMax: LIMITS.recordBytesMax,
    tailBytes: TAIL_BYTES,
  })
  const server = new TerminalServer({
    log,
    times,
    execs: new Execs(launch),
    workloadGen: launch.workloadGen,
    cols: launch.cols,
    rows: launch.rows,
  })
  return {
    output: (bytes) => server.output(bytes),
    exited: (code) => server.exited(code),
    use: (child) => server.use(child),
    open: () => server.listen(launch.doors.terminal),
    close: () => server.close(),
  }
}

function serviceLog(dir: string): Sink {
  const log = new SegmentLog(dir, {
    ...{ segmentBytes: SERVICE_LOG_BYTES_MAX / 4, bytesMax: SERVICE_LOG_BYTES_MAX, tailBytes: 0 },
    times: new RecordTimes({ cols: 0, rows: 0 }),
  })
  return {
    output: (bytes) => log.append(bytes),
    exited: () => undefined,
    use: () => undefined,
    open: async () => undefined,
    close: () => log.close(),
  }
}

function start(launch: HostLaunch, sink: Sink): { child: Child; ended: Promise<number> } {
  let done: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => {
    done = resolve
  })
  const child = startChild(launch, {
    data: (bytes) => sink.output(bytes),
    exit: (code) => {
      sink.exited(code)
      done(code)
    },
  })
  sink.use(child)
  return { child, ended }
}
