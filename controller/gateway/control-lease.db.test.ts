import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimControl } from '@/server/store/system/control'
import { eachProvider } from '@/testing/databases'
import { type Opened, startGateway, type TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import type { TestHost } from '@/testing/session-host'
import { sessionWindows } from '@/testing/session-windows'
import { attachWindow } from '@/testing/terminal-window'
import { NOISE_MS, until } from '@/testing/until'

eachProvider('the lease on control of a session', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  let host: TestHost
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened, host } = session)
  })
  afterAll(() => session.close())
  const { stored, attach } = sessionWindows(() => session)

  it('survives a connection that broke off, for who comes back at the generation held', async () => {
    const first = await attach()
    const held = first.control.controllerGen
    first.socket.terminate()
    await until('the gateway saw it', async () => (await attachCount()) === 0)
    const other = await attach()
    expect(other.control.mode).toBe('view') // its lease runs on: a blip gives nothing away
    const back = await attach({ expected: held })
    expect(back.control).toEqual({ mode: 'control', controllerGen: held + 1 })
  })

  it('X53: does not come back to who broke off when another one took it meanwhile', async () => {
    const first = await attach()
    const held = first.control.controllerGen
    first.socket.terminate()
    const other = await attach({ mode: 'view' })
    other.say({ type: 'claim', expected: held })
    await until('the other has it', () => other.control.mode === 'control')
    const back = await attach({ expected: held })
    expect(back.control).toEqual({ mode: 'view', controllerGen: held + 1 })
    expect(other.control.mode).toBe('control')
  })

  it('runs out 30 s after the last sign of life', async () => {
    const first = await attach()
    first.socket.terminate()
    await until('the gateway saw it', async () => (await attachCount()) === 0)
    test.clock.advance(29_000)
    expect((await attach()).control.mode).toBe('view')
    test.clock.advance(1_000)
    expect((await attach()).control.mode).toBe('control')
  })

  it('is renewed while its window is there', async () => {
    const first = await attach()
    const expiresAt = async () => {
      const row = await test.db.controlLease.findUnique({
        where: { workloadId: opened.workload.id },
        select: { expiresAt: true },
      })
      return row?.expiresAt?.getTime() ?? 0
    }
    const before = await expiresAt()
    test.clock.advance(25_000)
    await until('renewed', async () => (await expiresAt()) === before + 25_000)
    test.clock.advance(25_000)
    expect((await attach()).control.mode).toBe('view')
    expect(first.control.mode).toBe('control')
  })

  it('is lost to a take-over elsewhere: the window learns it and types no more', async () => {
    const first = await attach()
    const { controllerGen } = first.control
    const claim = {
      tenantId: opened.seed.tenantId,
      workloadId: opened.workload.id,
      holder: 'elsewhere',
      userId: opened.ctx.person.id,
    }
    await claimControl(test.db, { ...claim, expected: controllerGen, ttlMs: 30_000, at: test.clock.now() })
    await until('told', () => first.control.mode === 'view')
    test.clock.advance(31_000)
    expect(first.control.controllerGen).toBe(controllerGen + 1)
  })

  it('moves between two gateways at once: the session-host tells the former typer', async () => {
    const first = await attach()
    const elsewhere = await startGateway(test.db, { clock: test.clock })
    elsewhere.setDoor(opened.placementId, 'terminal', `${host.dir}/doors/terminal.sock`)
    const second = await attachWindow(elsewhere, opened)
    expect(second.control.mode).toBe('view')
    second.say({ type: 'claim', expected: second.control.controllerGen })
    await until('the second types', () => second.control.mode === 'control')
    const ms = await until('the first is told', () => first.control.mode === 'view')
    expect(ms).toBeLessThan(2000 + NOISE_MS) // sooner than its next renewal
    expect(first.control.controllerGen).toBe(second.control.controllerGen)
    first.type('echo too-late\n')
    second.type('echo in-time\n')
    await first.sees('in-time')
    expect(first.screen).not.toContain('too-late')
    second.socket.close(1000)
    await second.end()
    await elsewhere.close()
  })

  it('goes above the session-host’s own generation when the store is behind it', async () => {
    const first = await attach()
    const { controllerGen } = first.control
    first.socket.close(1000)
    await first.end()
    await until('given back', async () => (await stored()).holder === null)
    await test.db.controlLease.update({
      where: { workloadId: opened.workload.id },
      data: { controllerGen: 0 },
      select: { workloadId: true },
    })
    const next = await attach()
    expect(next.control).toEqual({ mode: 'control', controllerGen: controllerGen + 1 })
    next.type('echo above\n')
    await next.sees('above')
  })

  const attachCount = async () => test.dialled.filter(({ stream, door }) => door === 'terminal' && !stream.destroyed).length
})
