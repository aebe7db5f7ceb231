import { afterAll, beforeAll, expect, it } from 'vitest'
import { eachProvider, freshDatabase } from '@/testing/databases'
import type { Opened, TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import { seedMember } from '@/testing/seed'
import { sessionWindows } from '@/testing/session-windows'
import { attachWindow, openWindow } from '@/testing/terminal-window'
import { NOISE_MS, until } from '@/testing/until'

eachProvider('control of a session', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened } = session)
  })
  afterAll(() => session.close())
  const { stored, attach } = sessionWindows(() => session)

  it('gives it to the first who asks and lets the second watch', async () => {
    const first = await attach()
    const second = await attach()
    expect([first.control.mode, second.control.mode]).toEqual(['control', 'view'])
    expect(second.control.controllerGen).toBe(first.control.controllerGen)
    await first.hears('presence', 2)
    expect(first.last('presence')).toEqual({ type: 'presence', viewers: 1, controller: 'Mara' })
    expect(second.last('presence')).toEqual({ type: 'presence', viewers: 0, controller: 'Mara' })
  })

  it('V7: hands it over to a claim, tells the former typer, and drops what that one still types', async () => {
    const first = await attach()
    const second = await attach()
    const { controllerGen } = second.control
    second.say({ type: 'claim', expected: controllerGen })
    await second.hears('control_changed')
    expect(second.control).toEqual({ mode: 'control', controllerGen: controllerGen + 1 })
    await until('the first is told', () => first.control.mode === 'view')
    expect(first.control.controllerGen).toBe(controllerGen + 1)
    first.type('echo from-first\n')
    second.type('echo from-second\n')
    await second.sees('from-second')
    expect(second.screen).not.toContain('from-first')
  })

  it('is taken from a typer that reads nothing any more without waiting for it', async () => {
    const first = await attach()
    const second = await attach()
    first.socket.pause()
    first.type('yes | head -c 20000000\n')
    await until('its stream is held up', () => test.dialled.at(-2)?.stream.isPaused() === true)
    second.say({ type: 'claim', expected: second.control.controllerGen })
    await until('the second has it', () => second.control.mode === 'control')
    expect(second.last('presence')).toEqual({ type: 'presence', viewers: 1, controller: 'Mara' })
    first.socket.terminate()
    second.type('\u0003')
  })

  it('lets exactly one of two claims from one generation win; the loser hears the current one', async () => {
    const watching = [await attach(), await attach(), await attach()]
    const { controllerGen } = watching[2]?.control ?? { controllerGen: -1 }
    for (const window of watching.slice(1)) window.say({ type: 'claim', expected: controllerGen })
    await until('both are answered', () => watching.slice(1).every((w) => w.last('stale') ?? w.control.mode === 'control'))
    await until('the typer before knows', () => watching[0]?.control.mode === 'view')
    expect(watching.map((w) => w.control.mode).filter((mode) => mode === 'control').length).toBe(1)
    const loser = watching.slice(1).find((w) => w.last('stale'))
    expect(loser?.last('stale')).toEqual({ type: 'stale', controllerGen: controllerGen + 1 })
    expect((await stored()).controllerGen).toBe(controllerGen + 1)
  })

  it('refuses a claim at a stale generation and changes nothing', async () => {
    const first = await attach()
    const second = await attach()
    const before = await stored()
    second.say({ type: 'claim', expected: before.controllerGen - 1 })
    await second.hears('stale')
    expect(second.last('stale')).toEqual({ type: 'stale', controllerGen: before.controllerGen })
    expect(await stored()).toEqual(before)
    expect(first.control.mode).toBe('control')
  })

  it('answers a claim of who has it already without taking it anew', async () => {
    const first = await attach()
    const before = await stored()
    first.say({ type: 'claim', expected: 0 })
    await first.hears('control_changed')
    expect(first.control).toEqual({ mode: 'control', controllerGen: before.controllerGen })
    expect(await stored()).toEqual(before)
  })

  it('is given back on request and taken by the next claim at once', async () => {
    const first = await attach()
    const second = await attach()
    first.say({ type: 'release' })
    await until('nobody types', () => second.last('presence')?.controller === null)
    expect(first.control.mode).toBe('view')
    first.type('echo after-release\n')
    second.say({ type: 'claim', expected: second.control.controllerGen })
    await until('the second has it', () => second.control.mode === 'control')
    second.type('echo now-mine\n')
    await second.sees('now-mine')
    expect(second.screen).not.toContain('after-release')
  })

  it('decides the size: the typer’s counts, a viewer’s waits until it types', async () => {
    const first = await attach({ cols: 100, rows: 30 })
    await until('its size', () => first.last('size')?.cols === 100)
    const second = await attach({ cols: 60, rows: 20 })
    second.say({ type: 'resize', cols: 61, rows: 21 })
    first.type('stty size\n')
    await first.sees('30 100')
    second.say({ type: 'claim', expected: second.control.controllerGen })
    await until('the size follows', () => first.last('size')?.cols === 61 && second.last('size')?.rows === 21)
    second.type('stty size\n')
    await second.sees('21 61')
  })

  it('is not for who may only watch', async () => {
    const viewer = await seedMember(test.db, opened.seed, 'member')
    await test.db.share.create({
      data: {
        id: viewer.id,
        tenantId: opened.seed.tenantId,
        workloadId: opened.workload.id,
        userKey: viewer.id,
        level: 'view',
        createdAt: test.clock.now(),
      },
      select: { id: true },
    })
    const ctx = { ...opened.ctx, person: viewer }
    await expect(attachWindow(test, opened, { ctx })).rejects.toThrow('you may not')
    const window = await attach({ ctx, purpose: 'terminal-view' })
    expect(window.control.mode).toBe('view')
    await test.db.share.deleteMany({ where: { userKey: viewer.id } })
    const ms = await until('closed once the share is gone', () => window.closed !== null)
    expect(ms).toBeLessThan(2000 + NOISE_MS)
  })
})

it('ends at the newest generation when answers of the store overtake each other', async () => {
  const { db, drop } = await freshDatabase('sqlite')
  const held: Promise<void>[] = []
  let looks = 0
  /** The lease as it was when it was looked at, told later where the test says so. */
  const findUnique = async <A, R>({ args, query }: { args: A; query: (args: A) => Promise<R> }): Promise<R> => {
    const row = await query(args)
    looks += 1
    await held.shift()
    return row
  }
  const slow = db.$extends({ query: { controlLease: { findUnique } } }) as unknown as typeof db
  const session = await openSessionOf(slow)
  const { test, opened } = session
  const first = await attachWindow(test, opened)
  const second = await attachWindow(test, opened, { mode: 'view' })
  const expected = first.control.controllerGen
  let release = () => {}
  held.push(
    new Promise((resolve) => {
      release = resolve
    }),
  )
  const before = looks
  const third = await openWindow(test, opened, { mode: 'view' })
  await until('it has looked', () => looks > before)
  second.say({ type: 'claim', expected })
  await until('the second has it', () => second.control.mode === 'control')
  release()
  await third.hears('presence')
  for (const window of [first, second, third]) expect(window.control.controllerGen).toBe(expected + 1)
  await session.close()
  await drop()
})
