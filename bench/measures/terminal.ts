import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench, Measure } from '../lib/bench'
import type { Peers } from '../lib/peers'
import { freePort, startProgram, wait } from '../lib/process'
import { interleave, median } from '../lib/statistics'
import { BareTerminal, type BenchTerminal, BerthTerminal, JupyterTerminal } from '../lib/terminals'

const ROUNDS = 5
const KEYS = 60
const YES_MS = 3000
const QUIET_MS = 400
const CAT_BYTES = 64 * 2 ** 20
const TOKEN = 'bench'

/** Keystrokes against a bare pseudo-terminal; floods against JupyterLab's own terminal, which records nothing. */
export const terminal: Measure = async (bench) => {
  const { person } = bench
  // As many processors as the programs of its peers have, which nothing limits.
  const { id } = await person.create('session', 'shell', availableParallelism())
  await person.until(id, ['running'])
  const berth = await BerthTerminal.attach(person, id)
  await berth.sees(/[#$] $/)
  try {
    return [...(await keystrokes(berth)), ...(await floods(bench, berth))]
  } finally {
    berth.close()
    await person.remove(id)
  }
}

async function keystrokes(berth: BenchTerminal) {
  const port = await freePort()
  const peer = await startProgram(
    [process.execPath, path.resolve(import.meta.dirname, '../peers/bare-terminal.mjs'), String(port)],
    {
      ready: /ready/,
    },
  )
  const bare = await BareTerminal.open(port)
  await bare.sees(/[#$] $/)
  const rounds = await interleave(ROUNDS, { berth: () => echoMs(berth), bare: () => echoMs(bare) })
  bare.close()
  await peer.stop()
  const over = rounds.berth.map((ms, i) => ms - (rounds.bare[i] ?? 0))
  return [
    { name: 'keystroke_echo_over_bare_p50', value: median(over), unit: 'ms', goal: '<=1' },
    { name: 'keystroke_echo_p50', value: median(rounds.berth), unit: 'ms', goal: '-' },
    { name: 'keystroke_echo_bare_p50', value: median(rounds.bare), unit: 'ms', goal: '-' },
  ]
}

/** Median time from a key to its echo. */
async function echoMs(terminal: BenchTerminal): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < KEYS; i++) {
    const begin = performance.now()
    const echoed = terminal.prints(terminal.bytes)
    terminal.type('x')
    await echoed
    times.push(terminal.lastOutputAt - begin)
    await wait(3)
  }
  terminal.type('\x15') // clears the line
  await wait(50)
  return median(times)
}

async function floods({ peers }: Bench, berth: BenchTerminal) {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-bench-lab-'))
  const port = await freePort()
  const lab = await startProgram([peers.bin('jupyter-lab'), ...labOptions(port), `--ServerApp.root_dir=${folder}`], {
    ready: /Jupyter Server .* is running at/,
    cwd: folder,
  })
  const terminado = await JupyterTerminal.open(port, TOKEN)
  await terminado.sees(/[#$] $/)
  const file = `yes 'The quick brown fox jumps over the lazy dog, and then it does so once more.' | head -c ${CAT_BYTES} > big.txt; clear; echo made-$((1+1))\r`
  for (const side of [berth, terminado]) {
    side.type(file)
    await side.sees('made-2')
  }
  const quiet: number[] = []
  const yes = await interleave(ROUNDS, {
    berth: async () => floodWithYes(berth, (ms) => quiet.push(ms)),
    terminado: () => floodWithYes(terminado, () => undefined),
    bare: () => bareYes(peers),
  })
  const cat = await interleave(ROUNDS, { berth: () => floodWithCat(berth), terminado: () => floodWithCat(terminado) })
  terminado.close()
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
  const ratio = (sides: Sides) => median(sides.berth) / median(sides.terminado)
  return [
    { name: 'terminal_yes_over_terminado', value: ratio(yes), unit: 'x', goal: '>=1.1' },
    ...both('terminal_yes', yes),
    { name: 'terminal_yes_bare', value: median(yes.bare), unit: 'MB/s', goal: '-' },
    { name: 'terminal_yes_bare_over_terminado', value: median(yes.bare) / median(yes.terminado), unit: 'x', goal: '-' },
    { name: 'terminal_cat_over_terminado', value: ratio(cat), unit: 'x', goal: '>=0.8' },
    ...both('terminal_cat', cat),
    { name: 'terminal_ctrl_c_quiet', value: median(quiet), unit: 'ms', goal: '<=50' },
  ]
}

/** A shell without start-up files, as a session's is. */
function labOptions(port: number): string[] {
  return [
    '--no-browser',
    '--allow-root',
    `--port=${port}`,
    '--ServerApp.ip=127.0.0.1',
    `--IdentityProvider.token=${TOKEN}`,
    "--ServerApp.terminado_settings={'shell_command': ['/bin/bash', '--norc', '--noprofile']}",
  ]
}

type Sides = { berth: number[]; terminado: number[] }
function both(name: string, sides: Sides) {
  return [
    { name, value: median(sides.berth), unit: 'MB/s', goal: '-' },
    { name: `${name}_terminado`, value: median(sides.terminado), unit: 'MB/s', goal: '-' },
  ]
}

/** What the machine's terminals give when nobody does anything with their output. */
async function bareYes({ python }: Peers): Promise<number> {
  const reader = path.resolve(import.meta.dirname, '../peers/bare-reader.py')
  const { stdout } = await promisify(execFile)(python, [reader, String(YES_MS / 1000)])
  return Number(stdout)
}

/** Megabytes per second of `yes`, then Ctrl-C: tells how long output went on. */
async function floodWithYes(terminal: BenchTerminal, onQuiet: (ms: number) => void): Promise<number> {
  const before = terminal.bytes
  terminal.type('yes\r')
  await terminal.prints(before + 1000)
  const [from, begin] = [terminal.bytes, performance.now()]
  await wait(YES_MS)
  const speed = (terminal.bytes - from) / 1000 / (performance.now() - begin)
  const stopped = performance.now()
  terminal.type('\x03')
  do await wait(QUIET_MS)
  while (performance.now() - terminal.lastOutputAt < QUIET_MS)
  onQuiet(Math.max(0, terminal.lastOutputAt - stopped))
  return speed
}

async function floodWithCat(terminal: BenchTerminal): Promise<number> {
  terminal.forget()
  const begin = performance.now()
  terminal.type('cat big.txt; echo; echo end-$((1+1))\r')
  await terminal.sees('end-2', 120_000)
  const speed = CAT_BYTES / 1000 / (performance.now() - begin)
  await wait(QUIET_MS)
  return speed
}
