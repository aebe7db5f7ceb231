import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits'
import { workloadName } from './names'
import { createWorkloadInput, requirement, workloadSpec } from './workloads'

const spec = { runtime: 'shell', cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0 }
const issue = (change: Record<string, unknown>) =>
  createWorkloadInput.safeParse({ kind: 'session', spec: { ...spec, ...change } }).error?.issues[0]

describe('a requirement', () => {
  it.each([
    'numpy',
    'numpy>=2,<3',
    'numpy >= 2, < 3',
    'scikit-learn==1.6.*',
    'torch~=2.6',
    'pandas!=2.2.0',
    'ruamel.yaml',
    'uvicorn[standard]',
    'fastapi[all,extra_one]>=0.110',
    'a===1.0+local',
  ])('accepts %s', (text) => {
    expect(requirement.safeParse(text).success).toBe(true)
  })

  it.each([
    '',
    '-r requirements.txt',
    '--index-url=https://example.org',
    'https://example.org/a.whl',
    'git+https://example.org/a',
    'a @ https://example.org/a.whl',
    './local',
    '/etc/passwd',
    '../up',
    'numpy; python_version<"3"',
    'numpy >=',
    'a b',
    'numpy\n--pre',
    '[extra]',
    'numpy[]',
    '.hidden',
    'ends-',
    `${'a'.repeat(LIMITS.requirementChars)}b`,
  ])('refuses %j', (text) => {
    expect(requirement.safeParse(text).success).toBe(false)
  })

  it('never lets an option, an address or a path through, whatever surrounds it', () => {
    const part = fc.constantFrom(
      'a',
      'numpy',
      '1.0',
      '==',
      '>=',
      ',',
      ' ',
      '-',
      '--pre',
      '://',
      '/',
      '@',
      ';',
      '\\',
      '\0',
      '\n',
      '$(x)',
      '|',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const accepted = requirement.safeParse(parts.join(''))
        if (accepted.success) expect(accepted.data).toMatch(/^[A-Za-z0-9][^/@;\\\0\n$|]*$/)
      }),
      { numRuns: 2000 },
    )
  })

  it('answers at once on hostile input', () => {
    const started = performance.now()
    requirement.safeParse(`a${'[a,'.repeat(60)}`)
    requirement.safeParse(`a${'>=1,'.repeat(45)}!`)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('a name', () => {
  it.each(['a', '0', 'a-b', 'x'.repeat(63)])('accepts %s', (name) => expect(workloadName.safeParse(name).success).toBe(true))
  it.each(['', '-a', 'A', 'a_b', 'a.b', 'ä', 'a b', 'a\n', 'a\r', 'a\x1b[2J', 'a\u202eb', 'x'.repeat(64)])(
    'V11: refuses %j',
    (name) => expect(workloadName.safeParse(name).success).toBe(false),
  )
})

describe('a create', () => {
  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ cpus: 0 }, 'cpus', /at least 1/],
    [{ cpus: LIMITS.cpusMax + 1 }, 'cpus', /at most 512/],
    [{ cpus: 1.5 }, 'cpus', /whole number/],
    [{ memoryBytes: 1 }, 'memoryBytes', /at least/],
    [{ diskBytes: -1 }, 'diskBytes', /^0 or more$/],
    [{ diskBytes: -(2 ** 80) }, 'diskBytes', /^0 or more$/],
    [{ diskBytes: 2 ** 80 }, 'diskBytes', /^at most 1024 TiB$/],
    [{ memoryBytes: 2 ** 80 }, 'memoryBytes', /^at most 64 TiB$/],
    [{ memoryBytes: 9999 * 2 ** 40 }, 'memoryBytes', /^at most 64 TiB$/],
    [{ memoryBytes: Number.POSITIVE_INFINITY }, 'memoryBytes', /^at most 64 TiB$/],
    [{ memoryBytes: 2 ** 30 + 0.5 }, 'memoryBytes', /^a whole number of bytes$/],
    [{ memoryBytes: Number.NaN }, 'memoryBytes', /^a number$/],
    [{ memoryBytes: 'abc' }, 'memoryBytes', /^a whole number of bytes$/],
    [{ gpu: { class: null, count: 0 } }, 'count', /at least 1/],
    [{ gpu: { class: null, count: 65 } }, 'count', /at most 64/],
    [{ command: [] }, 'command', /^the name of a program, then/],
    [{ command: [''] }, 'command', /it is empty$/],
    [{ command: [' \t', 'a'] }, 'command', /it is empty$/],
    [{ command: ['a\0b'] }, '0', /NUL/],
    [{ command: Array(65).fill('a') }, 'command', /at most 64/],
    [{ requirements: Array(201).fill('a') }, 'requirements', /at most 200/],
    [{ machineId: 'not-an-id' }, 'machineId', /./],
    [{ surprise: 1 }, 'spec', /surprise/],
    [{ mounts: [{ path: '/' }] }, 'path', /below \//],
  ])('names the field and its limit for %j', (...[change, field, limit]) => {
    const found = issue(change)
    expect(String(found?.path.at(-1))).toBe(field)
    expect(found?.message).toMatch(limit)
  })

  it('a folder with a closing slash, as shells complete it, is that folder', () => {
    const { mounts } = workloadSpec.parse({ ...spec, mounts: [{ path: '/data/' }] })
    expect(mounts).toEqual([{ path: '/data', mode: 'ro' }])
  })

  it('what was kept with an empty program name before that was refused is still read', () => {
    expect(workloadSpec.safeParse({ ...spec, command: [''] }).success).toBe(true)
  })

  it('keeps what was written and fills in the rest', () => {
    expect(workloadSpec.parse(spec)).toEqual({
      ...spec,
      gpu: null,
      mounts: [],
      python: null,
      machineId: null,
      command: null,
      requirements: [],
    })
  })
})
