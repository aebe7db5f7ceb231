// What this machine offers beside Node, in one line each when it is missing, with what would install it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const PYTHON_TEST = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** `isNeeded`: a compiler only makes packages; once they are there it is not missed. */
const TOOLS = [
  {
    name: 'a C++ compiler',
    has: () => works('c++', '--version') && works('make', '--version'),
    isNeeded: (root) => !existsSync(path.join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')),
    without: 'the SQLite package cannot be built',
    install: { linux: 'apt install g++ make', darwin: 'xcode-select --install' },
  },
  {
    name: 'bubblewrap',
    has: () => works('bwrap', '--version'),
    without: 'sessions and notebooks run without a sandbox',
    install: { linux: 'apt install bubblewrap' },
  },
  {
    name: 'Python 3.11 or uv',
    has: () => works('/usr/bin/python3', '-c', PYTHON_TEST) || works('python3', '-c', PYTHON_TEST) || works('uv', '--version'),
    without: 'notebooks cannot start',
    install: { linux: 'apt install python3 python3-venv', darwin: 'brew install python' },
  },
]

/** Prints a line for each missing tool of this platform; never stops the start. */
export function reportTools(root, { tools = TOOLS, platform = process.platform, print = console.log } = {}) {
  for (const tool of tools) {
    const install = tool.install[platform]
    if (!install || tool.isNeeded?.(root) === false || tool.has()) continue
    print(`${tool.name} is missing: ${tool.without}. To install it: ${install}`)
  }
}
