import { durationText } from '@/components/ui/duration'
import type { Tone } from '@/components/ui/tone'
import type { Role } from '@/domain/kinds'
import type { Scope } from '@/domain/tokens'

const DAY_MS = 86_400_000
/** An end that is nearer than this asks for attention. */
const SOON_MS = 7 * DAY_MS

export const ROLE_WORDS: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' }

/** The sentence under the title. Pure. */
export function membersText(count: number, place: string): string {
  return count === 1 ? `You are the only member of ${place}.` : `${count} members of ${place}.`
}

/** What a token may do, by its greatest scope: each includes those before it. Pure. */
export function scopeText(scopes: readonly Scope[]): string {
  if (scopes.includes('admin')) return 'all you may'
  if (scopes.includes('write')) return 'see and change'
  return scopes.includes('read') ? 'see only' : 'nothing'
}

/** A token as a list shows it. The prefix stands here again: its table would bring a schema library to the page. Pure. */
export function shownToken(lastFour: string): string {
  return `berth_pat_…${lastFour}`
}

type Ends = { expiresAt: Date; revokedAt: Date | null }

/** Does a token open anything? Pure. */
export function isLiving({ expiresAt, revokedAt }: Ends, nowMs: number): boolean {
  return revokedAt === null && expiresAt.getTime() > nowMs
}

/** When a token ends, or that it has. Pure. */
export function endText(token: Ends, nowMs: number): { text: string; tone: Tone } {
  if (token.revokedAt) return { text: 'revoked', tone: 'ink-3' }
  const left = token.expiresAt.getTime() - nowMs
  if (left <= 0) return { text: 'ended', tone: 'ink-3' }
  // Days are rounded: what was just made for 90 days ends in 90, not in 89.
  const text = left < 2 * DAY_MS ? durationText(left) : `${Math.round(left / DAY_MS)} d`
  return { text: `in ${text}`, tone: left < SOON_MS ? 'warn' : 'ink-2' }
}

/** Living tokens first, each group the newest first. Pure. */
export function sortTokens<T extends Ends & { createdAt: Date }>(tokens: readonly T[], nowMs: number): T[] {
  const rank = (token: T) => Number(isLiving(token, nowMs))
  return [...tokens].sort((a, b) => rank(b) - rank(a) || b.createdAt.getTime() - a.createdAt.getTime())
}

/** The shape of the thing that somebody signed in with, from its name. Pure. */
export function deviceShape(device: string): 'phone' | 'laptop' | 'screen' {
  if (/ on (Android|iOS)$/.test(device)) return 'phone'
  return / on (macOS|Linux)$/.test(device) ? 'laptop' : 'screen'
}

/** What signing out everywhere ends. Pure. */
export function othersText(others: number): string {
  if (others === 0) return 'There is no other sign-in. You can still sign out here.'
  const which = others === 1 ? 'The other sign-in ends' : `The ${others} other sign-ins end`
  return `${which} now, and what they have open closes within seconds. API tokens go on; revoke those one by one.`
}
