// Runs the test suites and counts them from their machine-readable reports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run, say } from './steps.mjs'

/** One Vitest project. A suite that could not be loaded counts as a failure; so does an empty one. */
export async function runVitest(project, { files = [], env = {} } = {}) {
  const args = ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', ...files]
  return withReport(`tests: ${project}`, (file) => ({ command: [...bin(args), `--outputFile.json=${file}`], env }), countVitest)
}

/** The browser journeys. */
export async function runPlaywright(args = []) {
  return withReport(
    'tests: browser journeys',
    (file) => ({
      command: bin(['playwright', 'test', '--reporter=list,json', ...args]),
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    }),
    countPlaywright,
  )
}

const bin = ([name, ...args]) => [path.join('node_modules/.bin', name), ...args]

async function withReport(what, plan, count) {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-report-'))
  const file = path.join(folder, 'report.json')
  const { command, env } = plan(file)
  const result = await run(what, command, { live: true, env })
  const counted = readCounts(file, count)
  rmSync(folder, { recursive: true, force: true })
  if (result.code !== 0 && counted.failed === 0) counted.failed = 1
  say(`${what}: ${counted.passed} passed, ${counted.failed} failed in ${result.seconds.toFixed(0)} s`)
  return counted
}

function readCounts(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.log(`no report: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

/** Skipped tests count as failures: nothing may skip silently. */
export function countVitest(report) {
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0)
  const brokenFiles = report.testResults.filter((t) => t.status === 'failed' && t.assertionResults.length === 0).length
  const empty = report.numTotalTests === 0 ? 1 : 0
  const names = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((t) => t.status !== 'passed')
      .map((t) => `${t.status}: ${path.relative('.', file.name)} ${t.fullName}${why(t.failureMessages?.[0])}`),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + skipped + brokenFiles + empty, names }
}

export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats
  const empty = expected + unexpected + flaky + skipped === 0 ? 1 : 0
  const failed = unexpected + flaky + skipped + empty + (report.errors?.length ?? 0)
  return { passed: expected, failed, names: (report.suites ?? []).flatMap(failedJourneys) }
}

/** Each with what its page showed then: where it failed, nobody can look again. */
function failedJourneys({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .flatMap((test) => test.results)
      .filter((result) => result.status !== 'passed')
      .map(({ status, error, attachments = [] }) => `${status}: e2e/${file} ${title}${why(error?.message)}${shown(attachments)}`),
  )
  return [...own, ...suites.flatMap(failedJourneys)]
}

const LINES_MAX = 12
function why(message) {
  return message ? `\n  ${stripVTControlCharacters(message).split('\n').slice(0, LINES_MAX).join('\n  ')}` : ''
}

const SHOWN_CHARS_MAX = 6000
function shown(attachments) {
  const file = attachments.find(({ name }) => name === 'error-context')?.path
  const page = file ? readFileSync(file, 'utf8') : ''
  const at = page.indexOf('# Page snapshot')
  return at === -1 ? '' : `\n${page.slice(at, at + SHOWN_CHARS_MAX)}`
}
