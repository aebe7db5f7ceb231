import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { runProgram } from '../program'
import { addLocal } from './local'

afterEach(() => {
  vi.restoreAllMocks()
})

it.each([
  { link: 'http://localhost:7480/setup#one', code: 0, out: 'http://localhost:7480/setup#one\n', err: '' },
  { link: null, code: 1, out: '', err: 'berth: an account exists already; set-up is closed\n' },
])('setup-link prints the link $link, and says on standard error that there is none', async ({ link, code, out, err }) => {
  const said = { out: vi.spyOn(process.stdout, 'write'), err: vi.spyOn(process.stderr, 'write') }
  for (const stream of Object.values(said)) stream.mockReturnValue(true)
  const program = new Command('berth')
  addLocal(program, { setupLink: async () => link, setPassword: async () => undefined })
  expect(await runProgram(program, ['node', 'berth', 'setup-link'])).toBe(code)
  expect([said.out.mock.calls.join(''), said.err.mock.calls.join('')]).toEqual([out, err])
})
