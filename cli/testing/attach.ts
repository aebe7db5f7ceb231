import { spawn } from '@lydell/node-pty'
import { until } from '@/testing/until'
import type { TestCli } from './cli'

export type Terminal = ReturnType<typeof attachTerminal>

/** `berth attach desk` in a real terminal. */
export function attachTerminal(cli: TestCli, args: readonly string[]) {
  const [program = '', ...rest] = [...cli.command, 'attach', 'desk', ...args]
  const options = { cols: 100, rows: 30, env: cli.environment, cwd: cli.home, encoding: null }
  const terminal = spawn(program, rest, options)
  let text = ''
  let code: number | null = null
  terminal.onData((piece) => {
    text += piece
  })
  terminal.onExit(({ exitCode }) => {
    code = exitCode
  })
  return {
    type: (keys: string) => terminal.write(keys),
    resize: (cols: number, rows: number) => terminal.resize(cols, rows),
    text: () => text,
    end: () => terminal.kill(),
    sees: (words: string | RegExp) =>
      until(`sees ${words}`, () => new RegExp(words).test(text)).catch((cause: unknown) => {
        throw new Error(`it shows ${JSON.stringify(text.slice(-2000))}`, { cause })
      }),
    left: async () => {
      await until('it left', () => code !== null)
      return code
    },
  }
}
