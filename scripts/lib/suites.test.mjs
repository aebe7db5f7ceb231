import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { countPlaywright, countVitest } from './suites.mjs'

const vitest = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTotalTests: 3, testResults: [] }

it('counts a skipped test, a file that did not load and an empty suite as failures', () => {
  expect(countVitest(vitest)).toEqual({ passed: 3, failed: 0, names: [] })
  expect(countVitest({ ...vitest, numPendingTests: 1 }).failed).toBe(1)
  expect(countVitest({ ...vitest, testResults: [{ status: 'failed', assertionResults: [] }] }).failed).toBe(1)
  expect(countVitest({ ...vitest, numPassedTests: 0, numTotalTests: 0 }).failed).toBe(1)
})

it('names what was not passed, so that it stands beside the last line', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a' },
    { status: 'pending', fullName: 'b' },
  ]
  const file = { status: 'passed', name: `${process.cwd()}/x.test.ts`, assertionResults }
  expect(countVitest({ ...vitest, numPendingTests: 1, testResults: [file] }).names).toEqual(['pending: x.test.ts b'])
})

it('counts a flaky or skipped journey as a failure', () => {
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 } })).toEqual({
    passed: 2,
    failed: 0,
    names: [],
  })
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 1 } }).failed).toBe(2)
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }).failed).toBe(1)
})

it('says why a test failed, and what the page of a journey showed then', () => {
  const assertionResults = [{ status: 'failed', fullName: 'a', failureMessages: ['\u001b[31mno such thing\u001b[0m\nat x'] }]
  const file = { status: 'failed', name: `${process.cwd()}/x.test.ts`, assertionResults }
  expect(countVitest({ ...vitest, testResults: [file] }).names).toEqual(['failed: x.test.ts a\n  no such thing\n  at x'])
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-shown-'))
  const context = path.join(folder, 'error-context.md')
  writeFileSync(context, 'cookie: a secret\n# Page snapshot\n- heading "Waiting"\n')
  const results = [
    { status: 'failed', error: { message: 'not visible' }, attachments: [{ name: 'error-context', path: context }] },
  ]
  const spec = (tests) => ({ file: 'x.spec.ts', title: 'a journey', tests })
  const suites = [{ suites: [{ specs: [spec([{ results }]), spec([{ results: [{ status: 'passed' }] }])] }] }]
  const report = { stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 }, suites }
  expect(countPlaywright(report).names).toEqual([
    'failed: e2e/x.spec.ts a journey\n  not visible\n# Page snapshot\n- heading "Waiting"\n',
  ])
  rmSync(folder, { recursive: true })
})
