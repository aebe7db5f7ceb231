import { z } from 'zod'
import { email, password, personName, tenantName } from '@/domain/names'
import type { AccountErrors } from './account-fields'

const schema = z.object({ name: personName, email, password, tenantName })
type Account = z.infer<typeof schema>

/** Checks the form by the schemas of the API, so that both say the same. Pure. */
export function checkAccount(fields: unknown): { account: Account | null; errors: AccountErrors } {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return { account: parsed.data, errors: {} }
  return { account: null, errors: Object.fromEntries(parsed.error.issues.map((i) => [i.path.join('.'), i.message]).reverse()) }
}
