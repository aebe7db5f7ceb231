import { describe, expect, it } from 'vitest'
import type { Instruction, SeccompArch } from './seccomp'
import { isSeccompArch, REFUSED_CALLS, REFUSED_IOCTLS, SECCOMP_ARCHS, seccompFilter, seccompProgram } from './seccomp'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const AUDIT: Record<SeccompArch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const IOCTL: Record<SeccompArch, number> = { x64: 16, arm64: 29 }
type Call = { number: number; audit: number; request?: bigint }

/** Runs a program as the kernel does; its answer for one system call. */
function judge(program: Instruction[], call: Call): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.audit, 4)
  data.writeBigUInt64LE(call.request ?? 0n, 24)
  let loaded = 0
  for (let at = 0; at < program.length; ) {
    const { code, jumpTrue, jumpFalse, k } = program[at] ?? { code: 0, jumpTrue: 0, jumpFalse: 0, k: 0 }
    if (code === 0x06) return k >>> 0
    if (code === 0x20) loaded = data.readUInt32LE(k)
    const isTrue = code === 0x15 ? loaded === k : loaded >= k
    at += 1 + (code === 0x20 ? 0 : isTrue ? jumpTrue : jumpFalse)
  }
  throw new Error('the program fell off its end')
}

describe.each(SECCOMP_ARCHS)('the system call filter on %s', (arch) => {
  const program = seccompProgram(arch)
  const ask = (number: number, request?: bigint) => judge(program, { number, audit: AUDIT[arch], request })

  it('refuses each listed call', () => {
    for (const row of Object.values(REFUSED_CALLS)) expect(ask(row[arch])).toBe(0x00050000 | row.errno)
  })

  it('P5: refuses pushing input into a terminal, whatever the upper half of the request', () => {
    for (const request of Object.values(REFUSED_IOCTLS)) {
      expect(ask(IOCTL[arch], BigInt(request))).toBe(0x00050001)
      expect(ask(IOCTL[arch], (1n << 32n) + BigInt(request))).toBe(0x00050001)
    }
  })

  it('lets job control, sizes and every other call through', () => {
    for (const request of [0x5401, 0x540e, 0x540f, 0x5410, 0x5413, 0x5414]) expect(ask(IOCTL[arch], BigInt(request))).toBe(ALLOW)
    const refused: number[] = Object.values(REFUSED_CALLS).map((row) => row[arch])
    for (let number = 0; number < 460; number++) {
      if (!refused.includes(number) && number !== IOCTL[arch]) expect(ask(number, 0x5412n)).toBe(ALLOW)
    }
  })

  it('ends a process that calls by a foreign convention', () => {
    for (const audit of [0x40000003, 0x40000028, 0]) expect(judge(program, { number: 0, audit })).toBe(KILL)
  })

  it('is eight bytes an instruction', () => {
    expect(seccompFilter(arch).byteLength).toBe(program.length * 8)
  })
})

it('does not let the x32 calling convention pass under another number', () => {
  expect(judge(seccompProgram('x64'), { number: 0x40000000 + 250, audit: AUDIT.x64 })).toBe(0x00050000 | 38)
})

it('knows for which processors it has a filter', () => {
  expect([isSeccompArch('x64'), isSeccompArch('arm64'), isSeccompArch('riscv64')]).toEqual([true, true, false])
})
