import type { Kind } from '@/domain/kinds'
import type { ShareLevel } from '@/domain/permissions'

/** What View gives, by kind. */
export const LOOKS: Record<Kind, string> = {
  notebook: 'sees its facts, timeline, logs and saved outputs; does not open it',
  session: 'sees its facts and timeline, watches its terminal, reads its logs and record',
  endpoint: 'sees its facts, timeline and logs',
}

/** What each level means, in the words of the panel; each has what the one before it has. View: see `LOOKS`. */
export const LEVEL_WORDS: Record<ShareLevel, { label: string; means: string | null }> = {
  view: { label: 'View', means: null },
  use: { label: 'Use', means: 'also opens it and works in it, pauses, parks and starts it' },
  manage: { label: 'Manage', means: 'also changes its name and settings, and deletes it' },
}

/** Everyone in the tenant, as a choice beside its people. */
export const EVERYONE = 'everyone'

type Person = { userId: string; name: string; email: string; role: string }
type Shared = { userId: string | null }

/** With whom it can be shared still: everyone first, then its people by name; not its owner, not who has it already. Pure. */
export function candidates(
  members: readonly Person[],
  shares: readonly Shared[],
  ownerId: string,
): { value: string; label: string }[] {
  const taken = new Set(shares.map((share) => share.userId))
  const people = members
    .filter(({ userId }) => userId !== ownerId && !taken.has(userId))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))
  return taken.has(null) ? people : [{ value: EVERYONE, label: 'Everyone here' }, ...people]
}

/** A viewer of the tenant never gets more than to look, whatever is shared with them. Pure. */
export function isHeldBack(level: ShareLevel, role: string | undefined): boolean {
  return role === 'viewer' && level !== 'view'
}
