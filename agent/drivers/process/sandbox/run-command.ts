import { execFile } from 'node:child_process'
import { onlyThese } from '../../../host/only-these'

export type CommandResult = { code: number; stdout: string; stderr: string; isMissing: boolean }

/** Runs a short command of this machine and waits for its end. Never throws: a missing program and a failure are results. */
export function runCommand(
  command: readonly string[],
  options: { environment?: Record<string, string>; timeoutMs?: number } = {},
): Promise<CommandResult> {
  const [file = '', ...args] = command
  const environment = options.environment ?? { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8' }
  return new Promise((resolve) => {
    const settings = {
      env: onlyThese(environment),
      timeout: options.timeoutMs ?? 10_000,
      killSignal: 'SIGKILL',
      cwd: '/',
    } as const
    execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr, isMissing: error?.code === 'ENOENT' })
    })
  })
}
