import { LIMITS } from '@/domain/limits'

/** Processes and threads of one instance at most: room for numeric libraries, none for a fork bomb. */
export const PROCESSES_MAX = 2048
/** A terminal's size until somebody who may type looks at it. */
export const FIRST_SIZE = { cols: 80, rows: 24 } as const
/** Time between asking a program to end and ending it. */
export const GRACE_MS = LIMITS.stopGraceSeconds * 1000
/** A server that is not up by then has failed to start. */
export const READY_MS = 180_000
/** A session-host is one of many: a small young generation keeps its memory low, at no cost that was measured. */
export const HOST_FLAGS = ['--max-semi-space-size=2'] as const
