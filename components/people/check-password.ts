import { z } from 'zod'
import { password } from '@/domain/names'

/** What is wrong in the form for a new password, by field. */
export type PasswordErrors = Partial<Record<'current' | 'next', string>>

const schema = z.object({ current: z.string().min(1, 'your password as it is now'), next: password })

/** Checks the form by the schema of the API, so that both say the same. Pure. */
export function checkPassword(fields: { current: unknown; next: unknown }): {
  change: z.infer<typeof schema> | null
  errors: PasswordErrors
} {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return { change: parsed.data, errors: {} }
  return { change: null, errors: Object.fromEntries(parsed.error.issues.map((i) => [i.path.join('.'), i.message]).reverse()) }
}
