import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintTicket } from '@/server/service/tickets'
import { eachProvider } from '@/testing/databases'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import { attachWindow, openTerminalSocket } from '@/testing/terminal-window'
import { until } from '@/testing/until'

eachProvider('a command beside a terminal', (db) => {
  let session: OpenedSession
  beforeAll(async () => {
    session = await openSessionOf(db())
  })
  afterAll(() => session.close())

  const run = async (command: string[], purpose: 'exec' | 'terminal-control' = 'exec') => {
    const { test, opened } = session
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose })
    const window = await openTerminalSocket(test)
    return window.say({ type: 'hello', protocol: 1, ticket, mode: 'control', command, cols: 80, rows: 24 })
  }
  const sh = (script: string) => run(['/bin/sh', '-c', script])

  it('gives its output, then its code, and closes', async () => {
    const window = await sh('seq 1 20000; echo also >&2; exit 42')
    expect((await window.end()).code).toBe(1000)
    const text = window.output.toString()
    expect(text.includes('also\n')).toBe(true)
    expect(text.replace('also\n', '') === Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join('')).toBe(true)
    expect(window.order.at(-1)).toBe('exit')
    expect(window.last('exit')).toEqual({ type: 'exit', code: 42 })
  })

  it('takes input until its end, whoever types into the terminal', async () => {
    const typer = await attachWindow(session.test, session.opened)
    await until('it types', () => typer.control.mode === 'control')
    const window = await run(['cat'])
    await window.hears('attached')
    window.type('to the command ').type(Buffer.alloc(60_000, 'x')).say({ type: 'eof' })
    expect((await window.end()).code).toBe(1000)
    expect(window.output.byteLength).toBe(60_015)
    expect(window.last('exit')).toEqual({ type: 'exit', code: 0 })
    expect(typer.control.mode).toBe('control')
    expect(typer.screen).not.toContain('to the command')
    typer.socket.close(1000)
    await typer.end()
  })

  it('ends with its window, with all that it started', async () => {
    const file = join(session.host.dir, 'alive')
    const window = await sh(`(while :; do echo x >> ${file}; sleep 0.02; done) & wait`)
    const size = () => (existsSync(file) ? statSync(file).size : 0)
    await until('it runs', () => size() > 4)
    window.socket.terminate()
    let [last, changedAt] = [size(), performance.now()]
    await until('it writes no more', () => {
      if (size() !== last) [last, changedAt] = [size(), performance.now()]
      return performance.now() - changedAt > 500
    })
  })

  it('runs 8 at once and refuses the ninth', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => sh('cat')))
    await until('all run', () => many.every((window) => window.last('attached')))
    expect(await (await sh('true')).end()).toMatchObject({ code: 1008, reason: 'too many commands run beside this terminal' })
    for (const window of many) window.say({ type: 'eof' })
    for (const window of many) expect((await window.end()).code).toBe(1000)
    expect((await (await sh('true')).end()).code).toBe(1000)
  })

  it('needs a ticket for a command, and such a ticket opens no terminal', async () => {
    expect((await (await run(['true'], 'terminal-control')).end()).code).toBe(4401)
    const { ticket } = await mintTicket(session.opened.ctx, { workloadId: session.opened.workload.id, purpose: 'exec' })
    const window = await openTerminalSocket(session.test)
    window.say({ type: 'hello', protocol: 1, ticket, mode: 'control', cols: 80, rows: 24 })
    expect((await window.end()).code).toBe(4401)
  })

  it('says that a program cannot be started as a shell does, and takes no command that is none', async () => {
    const window = await run(['/no/such/program'])
    await window.end()
    expect(window.last('exit')).toEqual({ type: 'exit', code: 127, fault: 'command_missing' })
    expect((await (await run([])).end()).code).toBe(1008)
  })
})
