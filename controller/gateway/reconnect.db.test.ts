import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintTicket } from '@/server/service/tickets'
import { eachProvider } from '@/testing/databases'
import { type Opened, seedRunning, type TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import { startSessionHost } from '@/testing/session-host'
import { attachWindow } from '@/testing/terminal-window'
import { NOISE_MS, until } from '@/testing/until'

eachProvider('coming back to a terminal', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened } = session)
  })
  afterAll(() => session.close())

  it('gives every byte from the place where the window stood', async () => {
    const whole = await attachWindow(test, opened, { mode: 'view', since: { workloadGen: 1, seq: 0 } })
    const typer = await attachWindow(test, opened, { since: { workloadGen: 1, seq: 0 } })
    typer.type('seq 1 20000 | sed s/^/line-/\n')
    await typer.sees('line-20000')
    typer.socket.close(1000)
    await typer.end()
    await whole.sees('line-20000')
    await until('it is quiet', () => whole.screen.endsWith('$ '))
    for (const cut of [0, 1, 7, 60_000, 100_001, whole.next - 1]) {
      const back = await attachWindow(test, opened, { mode: 'view', since: { workloadGen: 1, seq: cut } })
      await until('caught up', () => back.next === whole.next)
      expect(back.from).toBe(cut)
      expect(back.output.equals(whole.output.subarray(cut))).toBe(true)
      expect(back.order).not.toContain('snapshot')
      back.socket.close(1000)
    }
    whole.socket.close(1000)
  })

  it('paints a screen for who never was here, who comes from another run, or who is past the end', async () => {
    for (const since of [undefined, { workloadGen: 7, seq: 1 }, { workloadGen: 1, seq: 10 ** 12 }]) {
      const window = await attachWindow(test, opened, { mode: 'view', ...(since ? { since } : {}) })
      await until('a screen', () => window.snapshot !== null)
      expect(window.screen).toContain('line-20000')
      window.socket.close(1000)
    }
  })

  it('X5: goes on after a restart of the controller, at the same place and with the same typer', async () => {
    const before = await attachWindow(test, opened)
    before.type('echo before-$((1+1))\n')
    await before.sees('before-2')
    await until('it is quiet', () => before.screen.endsWith('$ '))
    const held = before.control.controllerGen
    await test.restart()
    expect((await before.end()).code).toBe(4503)
    const back = await attachWindow(test, opened, { expected: held, since: { workloadGen: 1, seq: before.next } })
    expect(back.control).toEqual({ mode: 'control', controllerGen: held + 1 })
    back.type('echo after-$((2+2))\n')
    await back.sees('after-4')
    expect(back.from).toBe(before.next)
    back.socket.close(1000)
    await back.end()
  })

  it('X5 X9 X28: forty windows come back at once after the gateway went, each where it stood, and no ticket works twice', async () => {
    const typer = await attachWindow(test, opened, { since: { workloadGen: 1, seq: 0 } })
    const mint = () => mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-view' })
    const [used, unused] = [await mint(), await mint()]
    const view = (since: number, ticket?: string) =>
      attachWindow(test, opened, { mode: 'view', since: { workloadGen: 1, seq: since }, ...(ticket ? { ticket } : {}) })
    const before = await Promise.all([view(0, used.ticket), ...Array.from({ length: 38 }, () => view(0))])
    typer.type('for i in $(seq 1 99); do echo storm-$i; read -t 0.01 x; done; echo over-$((7+7))\n')
    await typer.sees('storm-20')
    await test.restart()
    await Promise.all([typer, ...before].map((window) => window.end()))
    await expect(view(0, used.ticket)).rejects.toThrow('closed: 4401')
    const stood = [typer, ...before]
    const expected = typer.control.controllerGen
    const after = await Promise.all([
      attachWindow(test, opened, { expected, since: { workloadGen: 1, seq: typer.next } }),
      ...before.map((window, n) => view(window.next, n === 0 ? unused.ticket : undefined)),
    ])
    expect(after[0]?.control.mode).toBe('control')
    const whole = await view(0)
    await whole.sees('over-14')
    await until('all have everything', () => after.every((window) => window.next === whole.next))
    for (const [n, window] of after.entries()) {
      const both = Buffer.concat([stood[n]?.output ?? Buffer.alloc(0), window.output])
      expect(both.equals(whole.output)).toBe(true)
    }
    for (const window of [...after, whole]) window.socket.close(1000)
    await Promise.all(after.map((window) => window.end()))
  })

  it('L3 X73: lets a window that does not read delay nobody, and gives it everything later', async () => {
    const slow = await attachWindow(test, opened, { mode: 'view' })
    const fast = await attachWindow(test, opened)
    await until('fast types', () => fast.control.mode === 'control')
    slow.socket.pause()
    const rss = process.memoryUsage().rss
    fast.type('head -c 12000000 /dev/zero | tr "\\0" x; echo; echo flood-$((5+5))\n')
    await fast.sees('flood-10', 90_000)
    expect(process.memoryUsage().rss - rss).toBeLessThan(250 * 2 ** 20)
    fast.type('echo quick-$((6+6))\n')
    expect(await fast.sees('quick-12')).toBeLessThan(2000 + NOISE_MS)
    slow.socket.resume()
    await until('the slow one caught up', () => slow.next === fast.next, 90_000)
    slow.socket.close(1000)
    fast.socket.close(1000)
    await fast.end()
  })

  it('stops sending to a window that says it has not drawn, until it says so', async () => {
    const lazy = await attachWindow(test, opened, { since: { workloadGen: 1, seq: 0 } })
    await until('first bytes', () => lazy.next > 0)
    lazy.say({ type: 'ack', seq: 1 })
    const still = await settled(() => lazy.next)
    const end = await attachWindow(test, opened, { mode: 'view' })
    await until('a screen', () => end.snapshot !== null)
    // A screen may be a little older than the last byte; what follows it comes as output.
    const last = await settled(() => end.next)
    expect(still).toBeLessThan(last)
    let acked = 0
    const draw = () => {
      if (lazy.next - acked > 262_144) lazy.say({ type: 'ack', seq: lazy.next })
      acked = lazy.next - acked > 262_144 ? lazy.next : acked
      return lazy.next >= last
    }
    await until('all bytes, acknowledged as they come', draw)
    lazy.socket.close(1000)
    end.socket.close(1000)
  })

  it('says how the program ended, after its last byte', async () => {
    const other = await seedRunning(test)
    const otherHost = await startSessionHost(test, other)
    const window = await attachWindow(test, other)
    await until('a prompt', () => window.snapshot !== null)
    window.type('echo bye-$((3+3)); exit 7\n')
    await window.hears('exit')
    expect(window.last('exit')).toEqual({ type: 'exit', code: 7 })
    expect(window.screen).toContain('bye-6')
    expect(window.order.lastIndexOf('output')).toBeLessThan(window.order.indexOf('exit'))
    const late = await attachWindow(test, other, { mode: 'view' })
    await late.hears('exit')
    await otherHost.end()
    expect((await window.end()).code).toBe(4410)
    late.socket.terminate()
  })

  it('leaves no connection to the session-host behind', async () => {
    await until('all streams are closed', () => test.dialled.every(({ stream }) => stream.destroyed))
  })
})

/** The value once it did not change for 300 ms. */
async function settled(read: () => number): Promise<number> {
  let last = read()
  let since = performance.now()
  await until('it settles', () => {
    if (read() !== last) since = performance.now()
    last = read()
    return performance.now() - since > 300
  })
  return last
}
