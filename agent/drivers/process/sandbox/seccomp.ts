/** Processor families that Berth has a filter for, as Node names them. */
export const SECCOMP_ARCHS = ['x64', 'arm64'] as const
export type SeccompArch = (typeof SECCOMP_ARCHS)[number]

/** Answers of a refused call: not permitted, or as if the kernel did not have it (programs then take another way). */
const EPERM = 1
const ENOSYS = 38

type SyscallRow = { x64: number; arm64: number; errno: number }
/** System calls that reach kernel code which a sandbox does not need and which has often been broken. */
export const REFUSED_CALLS = {
  keyctl: { x64: 250, arm64: 219, errno: EPERM },
  add_key: { x64: 248, arm64: 217, errno: EPERM },
  request_key: { x64: 249, arm64: 218, errno: EPERM },
  perf_event_open: { x64: 298, arm64: 241, errno: EPERM },
  userfaultfd: { x64: 323, arm64: 282, errno: EPERM },
  io_uring_setup: { x64: 425, arm64: 425, errno: ENOSYS },
  io_uring_enter: { x64: 426, arm64: 426, errno: ENOSYS },
  io_uring_register: { x64: 427, arm64: 427, errno: ENOSYS },
} as const satisfies Record<string, SyscallRow>

/** Terminal requests that push characters into a terminal's input; job control needs none of them. */
export const REFUSED_IOCTLS = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c } as const

const ARCHS = {
  x64: { audit: 0xc000003e, ioctl: 16, hasX32: true },
  arm64: { audit: 0xc00000b7, ioctl: 29, hasX32: false },
} as const

// Classic BPF, as the kernel's seccomp reads it.
const LOAD_WORD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06
const RET_ALLOW = 0x7fff0000
const RET_ERRNO = 0x00050000
const RET_KILL_PROCESS = 0x80000000
// Offsets in struct seccomp_data. Arguments are 64 bits, little-endian: the kernel reads an ioctl's request as the low word.
const AT_NUMBER = 0
const AT_ARCH = 4
const AT_SECOND_ARGUMENT = 24
const X32_BIT = 0x40000000
const INSTRUCTION_BYTES = 8

export type Instruction = { code: number; jumpTrue: number; jumpFalse: number; k: number }

/** The filter program of one processor family: foreign calling conventions end the process, listed calls fail, the rest passes. */
export function seccompProgram(arch: SeccompArch): Instruction[] {
  const { audit, ioctl, hasX32 } = ARCHS[arch]
  return [
    load(AT_ARCH),
    skipNextIf(JUMP_EQUAL, audit),
    answer(RET_KILL_PROCESS),
    load(AT_NUMBER),
    ...(hasX32 ? refuseIf(JUMP_AT_LEAST, X32_BIT, ENOSYS) : []),
    ...Object.values(REFUSED_CALLS).flatMap((row) => refuseIf(JUMP_EQUAL, row[arch], row.errno)),
    skipNextIf(JUMP_EQUAL, ioctl),
    answer(RET_ALLOW),
    load(AT_SECOND_ARGUMENT),
    ...Object.values(REFUSED_IOCTLS).flatMap((request) => refuseIf(JUMP_EQUAL, request, EPERM)),
    answer(RET_ALLOW),
  ]
}

/** The program as bubblewrap takes it: `struct sock_filter` after `struct sock_filter`. */
export function seccompFilter(arch: SeccompArch): Buffer {
  const program = seccompProgram(arch)
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES)
  program.forEach(({ code, jumpTrue, jumpFalse, k }, i) => {
    bytes.writeUInt16LE(code, i * INSTRUCTION_BYTES)
    bytes.writeUInt8(jumpTrue, i * INSTRUCTION_BYTES + 2)
    bytes.writeUInt8(jumpFalse, i * INSTRUCTION_BYTES + 3)
    bytes.writeUInt32LE(k, i * INSTRUCTION_BYTES + 4)
  })
  return bytes
}

/** Is there a filter for this processor? Without one the sandbox is not offered. */
export function isSeccompArch(arch: string): arch is SeccompArch {
  return (SECCOMP_ARCHS as readonly string[]).includes(arch)
}

function load(offset: number): Instruction {
  return { code: LOAD_WORD, jumpTrue: 0, jumpFalse: 0, k: offset }
}

function answer(value: number): Instruction {
  return { code: RETURN, jumpTrue: 0, jumpFalse: 0, k: value }
}

function skipNextIf(test: number, k: number): Instruction {
  return { code: test, jumpTrue: 1, jumpFalse: 0, k }
}

function refuseIf(test: number, k: number, errno: number): Instruction[] {
  return [{ code: test, jumpTrue: 0, jumpFalse: 1, k }, answer(RET_ERRNO | errno)]
}
