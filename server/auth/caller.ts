import type { Ctx, Person } from '@/server/service/ctx'

export type Scope = 'read' | 'write'

/** Who asks. A browser may do everything its person may; a token only what its scopes say, and nothing about sign-ins. */
export type Caller = {
  person: Person
  tenantId: string
  via: Ctx['via']
  signInId: string | null
  scopes: readonly Scope[]
}
