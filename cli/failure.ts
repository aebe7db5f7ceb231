type Field = { name: string; limit: string }

/** What ends the command: one sentence for the person, and the exit code (1 refused, 2 not understood). */
export class Failure extends Error {
  readonly exitCode: 1 | 2
  /** The code of `domain/errors.ts` when Berth refused, else null. */
  readonly code: string | null
  /** What Berth found wrong with its input, else null. */
  readonly field: Field | null
  constructor(message: string, options: { exitCode?: 1 | 2; code?: string; field?: Field | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'Failure'
    this.exitCode = options.exitCode ?? 1
    this.code = options.code ?? null
    this.field = options.field ?? null
  }
}
