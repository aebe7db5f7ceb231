import { z } from 'zod'
import { isCommonPassword } from './common-passwords'
import { LIMITS } from './limits'

/** A workload's name: lower case letters, digits and dashes; it starts with a letter or digit. */
export const workloadName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, `1 to ${LIMITS.nameChars} of a-z, 0-9 and -, starting with a letter or digit`)

const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1, `1 to ${max} characters`)
    .max(max, `1 to ${max} characters`)
    .refine((s) => !/[\p{Cc}\p{Cf}]/u.test(s), 'no control characters')

/** Names of tenants, people and API tokens: one line each. */
export const tenantName = singleLine(LIMITS.tenantNameChars)
export const personName = singleLine(LIMITS.personNameChars)
export const apiTokenName = singleLine(LIMITS.apiTokenNameChars)
/** Canonical form of an e-mail address: lower case ASCII, no comma, no line break. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(LIMITS.emailChars, `at most ${LIMITS.emailChars} characters`)
  .regex(/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'not an e-mail address')
/** A password of a person's choice. No rule about its characters: long, and none of those that are tried first. */
export const password = z
  .string()
  .min(LIMITS.passwordCharsMin, `at least ${LIMITS.passwordCharsMin} characters`)
  .max(LIMITS.passwordCharsMax, `at most ${LIMITS.passwordCharsMax} characters`)
  .refine((text) => !isCommonPassword(text), 'too easy to guess: choose one that is not made of common words and rows of keys')

const ADJECTIVES = ['calm', 'bright', 'quiet', 'brisk', 'clear', 'steady', 'warm', 'keen', 'swift', 'tidy', 'amber', 'mild']
const NOUNS = ['harbor', 'quay', 'tide', 'keel', 'mast', 'pier', 'dock', 'reef', 'sail', 'wharf', 'buoy', 'cove']

/** A name for people who typed none, from two random numbers in [0, 1) and a suffix that makes it unlikely to clash. */
export function generatedName(random: () => number): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? 'new'
  return `${pick(ADJECTIVES)}-${pick(NOUNS)}-${Math.floor(random() * 900 + 100)}`
}
