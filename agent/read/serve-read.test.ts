import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '@/testing/until'
import { keptMachine } from './testing/kept-machine'

let machine: Awaited<ReturnType<typeof keptMachine>>
beforeAll(async () => {
  machine = await keptMachine()
})
afterAll(() => machine.close())

describe('what a machine keeps of a workload', () => {
  it('is read byte for byte, also when it is parked, and says where it begins', async () => {
    const kept = machine.add({ segmentBytes: 16 })
    kept.print('one two three \x1b[1mfour\x1b[0m')
    kept.print(' five six seven eight\r\n')
    const whole = await machine.read({ workloadId: kept.workloadId })
    const text = await whole.text()
    expect(text).toBe('one two three \x1b[1mfour\x1b[0m five six seven eight\r\n')
    expect(whole.info).toEqual({ placementId: kept.placementId, workloadGen: 1, fromByte: 0, endByte: text.length })
    const tail = await machine.read({ workloadId: kept.workloadId, tailBytes: 7 })
    expect([await tail.text(), tail.info?.fromByte]).toEqual(['eight\r\n', text.length - 7])
  })

  it('says by its first byte what rotation took', async () => {
    const kept = machine.add({ segmentBytes: 100, bytesMax: 1000 })
    for (let i = 0; i < 40; i++) kept.print('x'.repeat(100))
    const { info, text } = await machine.read({ workloadId: kept.workloadId })
    expect(info?.endByte).toBe(4000)
    expect(info?.fromByte).toBeGreaterThan(3000)
    expect((await text()).length).toBe(4000 - (info?.fromByte ?? 0))
  })

  it('is followed until the program ended, and the reader misses nothing', async () => {
    const kept = machine.add({ phase: 'starting', segmentBytes: 64 })
    kept.print('first ', 0, 'output')
    const answer = await machine.read({ workloadId: kept.workloadId, source: 'output', isFollowed: true })
    await until('the first line is there', () => answer.soFar() === 'first ')
    for (let i = 0; i < 20; i++) kept.print(`line ${i} `, 0, 'output')
    await until('the last line is there', () => answer.soFar().endsWith('line 19 '))
    kept.print('last', 0, 'output')
    kept.setPhase('stopped')
    expect(await answer.text()).toBe(`first ${Array.from({ length: 20 }, (_, i) => `line ${i} `).join('')}last`)
  })

  it('of a reader who leaves holds nothing', async () => {
    const kept = machine.add({ phase: 'starting' })
    kept.print('x')
    const answers = []
    for (let i = 0; i < 128; i++) answers.push(await machine.read({ workloadId: kept.workloadId, isFollowed: true }))
    expect((await machine.read({ workloadId: kept.workloadId })).status).toBe(429)
    for (const answer of answers) answer.leave()
    const isFree = async () => (await machine.read({ workloadId: kept.workloadId })).status === 200
    await until('there is room for readers', isFree)
  })

  it('tells a hole in its place', async () => {
    const kept = machine.add({ segmentBytes: 10 })
    kept.print('0123456789')
    kept.print('lost here!')
    kept.print('and after')
    rmSync(join(kept.paths.recordDir, '0000000000000010.seg'))
    expect(await (await machine.read({ workloadId: kept.workloadId })).text()).toMatch(
      /^0123456789\r\n\[bytes 10 to 20 .*\]\r\nand after$/,
    )
  })

  it('chooses the newest start that has something, or the one that is named', async () => {
    const first = machine.add()
    first.print('first run')
    const second = machine.add({ workloadId: first.workloadId, workloadGen: 2 })
    second.print('second run')
    writeFileSync(first.paths.buildLog, 'building')
    const read = async (change: object) => (await machine.read({ workloadId: first.workloadId, ...change })).text()
    expect(await read({})).toBe('second run')
    expect(await read({ placementId: first.placementId })).toBe('first run')
    expect(await read({ source: 'build' })).toBe('building')
  })

  it.each([
    ['a path for an id', { workloadId: '../../etc' }, 400],
    ['an unknown source', { workloadId: uuidv7(), source: 'shadow' }, 400],
    ['a field too many', { workloadId: uuidv7(), more: 1 }, 400],
    ['a workload that it does not have', { workloadId: uuidv7() }, 404],
  ])('answers %s with %s', async (_what, ask, status) => {
    expect(
      (
        await machine.ask('/v1/read', {
          placementId: null,
          source: 'terminal',
          format: 'raw',
          tailBytes: null,
          isFollowed: false,
          ...ask,
        })
      ).status,
    ).toBe(status)
  })

  it('V9: of another workload is not read by naming its start', async () => {
    const [mine, other] = [machine.add(), machine.add()]
    mine.print('mine')
    other.print('other')
    expect((await machine.read({ workloadId: mine.workloadId, placementId: other.placementId })).status).toBe(404)
  })

  it('is never read through a link', async () => {
    const secret = join(machine.dataDir, 'secret')
    writeFileSync(secret, 'secret')
    const [file, folder, whole] = [machine.add(), machine.add(), machine.add()]
    for (const kept of [file, folder, whole]) kept.print('mine')
    const [segment = ''] = readdirSync(file.paths.recordDir)
    rmSync(join(file.paths.recordDir, segment))
    symlinkSync(secret, join(file.paths.recordDir, segment))
    symlinkSync(secret, file.paths.buildLog)
    renameSync(folder.paths.recordDir, join(machine.dataDir, 'elsewhere'))
    symlinkSync(join(machine.dataDir, 'elsewhere'), folder.paths.recordDir)
    const real = join(machine.dataDir, 'instances', whole.placementId)
    renameSync(real, join(machine.dataDir, 'moved'))
    symlinkSync(join(machine.dataDir, 'moved'), real)
    expect(await (await machine.read({ workloadId: file.workloadId })).text()).toBe('')
    expect((await machine.read({ workloadId: file.workloadId, source: 'build' })).status).toBe(404)
    expect((await machine.read({ workloadId: folder.workloadId })).status).toBe(404)
    expect((await machine.read({ workloadId: whole.workloadId })).status).toBe(404)
  })
})

describe('a record as asciicast v2', () => {
  it('has a header, frames at their times, the sizes, and whole characters', async () => {
    const kept = machine.add({ segmentBytes: 12 })
    kept.print('$ ls\r\n')
    kept.print('a b', 5) // within the same frame of 16 ms
    kept.print('\u00e9'.repeat(3), 1000)
    kept.resize(132, 40)
    kept.print('wide', 500)
    const lines = (await (await machine.read({ workloadId: kept.workloadId, format: 'asciicast' })).text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { version: 2, width: 80, height: 24, timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000 },
      [0, 'o', '$ ls\r\na b'],
      [1.005, 'o', '\u00e9'.repeat(3)],
      [1.505, 'r', '132x40'],
      [1.505, 'o', 'wide'],
    ])
  })

  it('leaves out no byte and cuts no character of a long record', async () => {
    const kept = machine.add({ segmentBytes: 100_001 })
    const all = Array.from({ length: 3000 }, (_, i) => `row ${i} \u20ac\u{1f600}${'.'.repeat(i % 97)}\r\n`)
    for (const text of all) kept.print(text, 20)
    const lines = (await (await machine.read({ workloadId: kept.workloadId, format: 'asciicast' })).text()).trimEnd().split('\n')
    const printed = lines.slice(1).map((line) => JSON.parse(line))
    expect(printed.map((event) => event[2]).join('')).toBe(all.join(''))
    expect(printed.at(-1)?.[0]).toBeCloseTo(2999 * 0.02, 5)
  })

  it('marks what was not kept', async () => {
    const kept = machine.add({ segmentBytes: 10 })
    for (const text of ['0123456789', 'lost here!', 'and after']) kept.print(text, 100)
    rmSync(join(kept.paths.recordDir, '0000000000000010.seg'))
    const lines = (await (await machine.read({ workloadId: kept.workloadId, format: 'asciicast' })).text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line)).slice(1)).toEqual([
      [0, 'o', '0123456789'],
      [0.2, 'm', expect.stringContaining('10 to 20')],
      [0.2, 'o', 'and after'],
    ])
  })
})

describe('a search', () => {
  it('finds plain text whatever its colours, newest first, with the place and the time of its line', async () => {
    const kept = machine.add({ segmentBytes: 64 })
    kept.print('all is well\r\nan Err')
    kept.print('\x1b[31mOR\x1b[0m here\r\n', 1000)
    kept.print('second \x1b]0;error in a title\x07line\r\n', 1000)
    kept.print('ERROR again', 1000)
    const { matches, isComplete } = await machine.search({ workloadId: kept.workloadId, text: 'error' })
    expect(matches.map(({ line }) => line)).toEqual(['ERROR again', 'an ErrOR here'])
    expect(matches[1]?.seq).toBe('all is well\r\n'.length)
    expect(matches[0]?.at?.toISOString()).toBe('2026-01-02T03:04:08.000Z')
    expect(isComplete).toBe(true)
  })

  it('finds what a full-screen program wrote at places, and across segments', async () => {
    const kept = machine.add({ segmentBytes: 20 })
    kept.print('\x1b[?1049h\x1b[2J\x1b[5;10Hthe quick\x1b[1Cbrown\x1b[6;1H\x1b[38;5;12mfox\x1b[m jumps\x1b[7;1Hover')
    const find = async (text: string) =>
      (await machine.search({ workloadId: kept.workloadId, text })).matches.map(({ line }) => line)
    expect(await find('quick brown')).toEqual(['the quick brown'])
    expect(await find('fox jumps')).toEqual(['fox jumps'])
    expect(await find('brownfox')).toEqual([])
  })

  it('stops at its limit and says so', async () => {
    const kept = machine.add({ segmentBytes: 200 })
    for (let i = 0; i < 100; i++) kept.print(`hit ${i}\n`)
    const { matches, isComplete } = await machine.search({ workloadId: kept.workloadId, text: 'HIT', limit: 3 })
    expect([matches.map(({ line }) => line), isComplete]).toEqual([['hit 99', 'hit 98', 'hit 97'], false])
  })

  it('has each line once, however the segments fall', async () => {
    const kept = machine.add({ segmentBytes: 37 })
    for (let i = 0; i < 200; i++) kept.print(`needle ${i} ${'-'.repeat(i % 31)}\n`)
    const { matches } = await machine.search({ workloadId: kept.workloadId, text: 'needle', limit: 200 })
    expect(matches.map(({ line }) => Number(line.split(' ')[1]))).toEqual(Array.from({ length: 200 }, (_, i) => 199 - i))
  })

  it('shows a long line around what it found', async () => {
    const kept = machine.add()
    kept.print(`${'a'.repeat(9000)}needle${'b'.repeat(9000)}\n`)
    const { matches } = await machine.search({ workloadId: kept.workloadId, text: 'needle' })
    expect(matches.length).toBe(1)
    expect(matches[0]?.line.length).toBe(400)
    expect(matches[0]?.line).toContain('needle')
  })

  it('of a build reads its log', async () => {
    const kept = machine.add()
    mkdirSync(kept.paths.logDir, { recursive: true })
    appendFileSync(kept.paths.buildLog, 'Collecting numpy\nERROR: no wheel\n')
    const { matches } = await machine.search({ workloadId: kept.workloadId, source: 'build', text: 'error' })
    expect(matches).toEqual([{ seq: 17, line: 'ERROR: no wheel', at: null }])
  })
})
