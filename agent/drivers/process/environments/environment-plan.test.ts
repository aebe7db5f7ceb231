import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EnvironmentSpec, environmentKey, environmentPlan } from './environment-plan'

const spec = (over: Partial<EnvironmentSpec> = {}): EnvironmentSpec => ({
  role: 'kernel',
  tenantId: '01920000-0000-7000-8000-000000000001',
  packages: ['numpy'],
  interpreter: { path: '/usr/bin/python3', version: '3.11.2', hasVenv: true },
  uv: null,
  isPlain: false,
  ...over,
})
/** Texts that would run into each other if they were only put side by side. */
const part = fc.constantFrom('a', 'b', 'ab', '', '"', '","', '/', '|', '\\', '\0', '-', '3.11', '[', ']')
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''))
const packages = fc.array(text, { maxLength: 3 })

it('N5, N6: two tenants, two contents, two Pythons never share an environment', () => {
  const any = fc.record({
    tenantId: text,
    packages,
    interpreter: fc.record({ path: text, version: text, hasVenv: fc.constant(true) }),
  })
  const content = ({ tenantId, packages: all, interpreter }: Pick<EnvironmentSpec, 'tenantId' | 'packages' | 'interpreter'>) =>
    JSON.stringify([tenantId, [...all].sort(), interpreter.path, interpreter.version])
  fc.assert(
    fc.property(any, any, (a, b) => {
      expect(environmentKey(spec(a)) === environmentKey(spec(b))).toBe(content(a) === content(b))
    }),
    { numRuns: 5_000 },
  )
  expect(environmentKey(spec())).toMatch(/^[0-9a-f]{40}$/)
  expect(environmentKey(spec({ tenantId: '01920000-0000-7000-8000-000000000002' }))).not.toBe(environmentKey(spec()))
})

it('D1: a package that looks like an option or a command stays a package', () => {
  const hostile = ['--index-url=http://example.org', '-r/etc/passwd', '$(touch canary)', '; touch canary']
  for (const uv of [null, { path: '/usr/bin/uv', version: '1' }])
    for (const { command, installs } of environmentPlan(spec({ packages: hostile, uv })).steps)
      if (installs) expect(command.slice(command.indexOf('--'))).toEqual(['--', ...hostile])
})
