// What this machine offers beside Node, in one line each when it is missing, with what would install it.
import { spawnSync } from 'node:child_process'

const TOOLS = [
  {
    name: 'bubblewrap',
    test: ['bwrap', '--version'],
    without: 'sessions and notebooks run without a sandbox',
    install: 'apt install bubblewrap',
    platform: 'linux',
  },
  {
    name: 'Python 3.11',
    test: ['/usr/bin/python3', '-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'],
    without: 'notebooks cannot start',
    install: 'apt install python3 python3-venv',
    platform: 'linux',
  },
]

/** Prints a line for each missing tool; never stops the start. */
export function reportTools(platform = process.platform, print = console.log) {
  for (const tool of TOOLS) {
    if (tool.platform !== platform) continue
    const [command = '', ...args] = tool.test
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) continue
    print(`${tool.name} is missing: ${tool.without}. To install it: ${tool.install}`)
  }
}
