import type { Scope } from '@/domain/tokens'
import type { Ctx, Person } from '@/server/service/ctx'

/** Who asks. A browser may do everything its person may; a token only what its scopes say, and nothing about sign-ins. */
export type Caller = {
  person: Person
  tenantId: string
  via: Ctx['via']
  signInId: string | null
  apiTokenId: string | null
  scopes: readonly Scope[]
}
