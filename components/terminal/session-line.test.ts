import { describe, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { FIRST_LINE, isLost, type LineEvent, nextLine, whoIsHere } from './session-line'

const lineAfter = (...events: LineEvent[]) => events.reduce(nextLine, FIRST_LINE)
const status = (name: 'connecting' | 'open' | 'waiting' | 'ended', retryInMs: number | null = null): LineEvent => ({
  type: 'status',
  value: { status: name, retryInMs, closeCode: null },
})
const mode = (name: 'control' | 'view', wasRefused = false): LineEvent => ({
  type: 'mode',
  value: { mode: name, controllerGen: 3, wasRefused },
})
const presence = (viewers: number, controller: string | null): LineEvent => ({ type: 'presence', value: { viewers, controller } })

describe('what a person is told about the terminal', () => {
  it('never says that someone types while the connection is lost', () => {
    const lost = lineAfter(status('open'), mode('control'), status('waiting', 400))
    expect(lost).toMatchObject({ mode: 'view', retryInMs: 400 })
    expect(whoIsHere(lost, 'Mara').isMine).toBe(false)
  })

  it('does not claim control before the gateway has said so', () => {
    expect(whoIsHere(FIRST_LINE, 'Mara').isMine).toBe(false)
  })

  it('adds up what was skipped until it is told', () => {
    const line = lineAfter({ type: 'gap', value: { from: 10, to: 30 } }, { type: 'gap', value: { from: 40, to: 41 } })
    expect(line.skippedBytes).toBe(21)
    expect(nextLine(line, { type: 'dismiss', what: 'gap' }).skippedBytes).toBe(0)
  })

  it('keeps the exit until another connection is made', () => {
    const ended = lineAfter({ type: 'exit', value: { code: 137 } }, status('ended'))
    expect(ended.exit).toEqual({ code: 137 })
    expect(nextLine(ended, status('connecting')).exit).toBeNull()
  })

  it('shows a lost claim and a notice until they are dismissed', () => {
    const line = lineAfter(mode('view', true), {
      type: 'notice',
      value: { reason: because('park_forced', { seconds: 5 }) },
    })
    expect(line).toMatchObject({ wasRefused: true, notice: { code: 'park_forced' } })
    const refused = because('egress_denied', { host: 'a.example' })
    expect(nextLine(FIRST_LINE, { type: 'notice', value: { reason: refused } }).notice).toBeNull() // the terminal tells it
    expect(nextLine(line, { type: 'dismiss', what: 'refused' }).wasRefused).toBe(false)
  })
})

describe('who is here', () => {
  it.each([
    [lineAfter(mode('control'), presence(0, 'Mara')), 'You type', null],
    [lineAfter(mode('control'), presence(2, 'Mara')), 'You type', '2 watch'],
    [lineAfter(mode('view'), presence(0, 'Jonas')), 'Jonas types', 'you watch'],
    [lineAfter(mode('view'), presence(1, 'Jonas')), 'Jonas types', 'you and 1 more watch'],
    [lineAfter(mode('view'), presence(0, null)), 'Nobody types', 'you watch'],
    [lineAfter(mode('view'), presence(0, 'Mara')), 'You type in another window', 'you watch'],
  ])('%#: says it in words', (line, typer, watchers) => {
    expect(whoIsHere(line, 'Mara')).toMatchObject({ typer, watchers })
  })
})

it('a connection that is gone is told from one that was never there', () => {
  const told = (status: 'connecting' | 'open' | 'waiting' | 'ended', hasAttached: boolean) => isLost({ status, hasAttached })
  expect([told('connecting', false), told('open', true), told('ended', true)]).toEqual([false, false, false])
  expect([told('connecting', true), told('waiting', false), told('waiting', true)]).toEqual([true, true, true])
})
