import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Opened, TestGateway } from './gateway'
import { isListening } from './is-listening'
import { programFile } from './programs'
import { until } from './until'

export type TestHost = { pid: number; dir: string; end(): Promise<void> }

const SHELL = ['/bin/bash', '--norc', '--noprofile', '-i']

/** A real session-host process with a shell in it, reached through the gateway's `terminal` door. */
export async function startSessionHost(test: TestGateway, opened: Opened, command: string[] = SHELL): Promise<TestHost> {
  const dir = mkdtempSync(path.join(tmpdir(), 'berth-host-'))
  const door = (name: string) => path.join(dir, 'doors', `${name}.sock`)
  mkdirSync(path.join(dir, 'instance', 'log'), { recursive: true })
  const launchFile = path.join(dir, 'launch.json')
  writeFileSync(
    launchFile,
    JSON.stringify({
      protocol: 1,
      placementId: opened.placementId,
      workloadId: opened.workload.id,
      workloadGen: opened.workload.workloadGen,
      bootId: 'test',
      kind: 'terminal',
      instanceDir: path.join(dir, 'instance'),
      doors: { main: door('main'), terminal: door('terminal'), state: door('state') },
      namespace: null,
      command,
      environment: { PATH: '/usr/bin:/bin', PS1: '$ ', HOME: dir, TERM: 'xterm-256color' },
      cwd: dir,
      statusFile: null,
      ptyOwner: null,
      cols: 80,
      rows: 24,
      graceMs: 500,
    }),
  )
  const log = openSync(path.join(dir, 'host.log'), 'a')
  const child = spawn(process.execPath, [programFile('session-host'), 'run', launchFile], { stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until('the session-host opens its door', () => isListening(door('terminal')))
  test.setDoor(opened.placementId, 'terminal', door('terminal'))
  return {
    pid: child.pid ?? 0,
    dir,
    end: async () => {
      test.setDoor(opened.placementId, 'terminal', null)
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
