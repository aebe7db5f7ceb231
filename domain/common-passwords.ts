import { LIMITS } from './limits'

/** What remains of a password beside common pieces must be at least this much, or a list of leaked ones has it. */
const OWN_CHARS_MIN = 6

/** Pieces that long passwords of leaked lists are put together from. */
const PIECES = [
  ...['password', 'passwort', 'passphrase', 'motdepasse', 'contrasena', 'passw0rd', 'p@ssw0rd', 'p@ssword', 'pa55word'],
  ...['welcome', 'letmein', 'changeme', 'default', 'secret', 'admin', 'administrator', 'root', 'user', 'login', 'guest'],
  ...['iloveyou', 'loveyou', 'ilove', 'love', 'princess', 'sunshine', 'superman', 'batman', 'spiderman', 'pokemon', 'naruto'],
  ...['football', 'baseball', 'basketball', 'soccer', 'hockey', 'monkey', 'dragon', 'master', 'shadow', 'starwars', 'trustno'],
  ...['michael', 'jordan', 'jessica', 'ashley', 'daniel', 'charlie', 'hunter', 'jennifer', 'thomas', 'michelle', 'liverpool'],
  ...['chelsea', 'barcelona', 'arsenal', 'google', 'facebook', 'linkedin', 'microsoft', 'internet', 'computer', 'samsung'],
  ...['summer', 'winter', 'spring', 'autumn', 'january', 'february', 'march', 'april', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december', 'monday', 'friday', 'sunday', 'berth', 'jupyter', 'notebook', 'test', 'temp', 'demo'],
  ...['correcthorsebatterystaple', 'correcthorse', 'batterystaple', 'whatever', 'qwerty', 'azerty', 'qazwsx', 'zaq1'],
  ...['my', 'the', 'is', 'me', 'for', 'and', 'you', 'this'],
].sort((a, b) => b.length - a.length)

/** Rows of keys and of characters, and back. */
const ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qwertzuiop',
  '1234567890',
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6y7u8i9o0p',
]
const BOTH_WAYS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])
const RUN_MIN = 3

/**
 * Is a long password one of those that are tried first: common words, rows of keys, dates and digits, or one piece again and
 * again? Checked without any network, by what is left when such pieces are taken out. Pure.
 */
export function isCommonPassword(password: string): boolean {
  if (password.length > LIMITS.passwordCharsMax) return false // refused for its length; the work here is bounded
  const text = password.toLowerCase().replace(/[^\p{L}\p{N}@]/gu, '')
  return new Set(ownPart(oneOfRepeated(text))).size < OWN_CHARS_MIN
}

/** `abcabcabc` is `abc`. */
function oneOfRepeated(text: string): string {
  for (let chars = 1; chars <= text.length / 2; chars++) {
    const unit = text.slice(0, chars)
    if (unit.repeat(Math.ceil(text.length / chars)).startsWith(text)) return unit
  }
  return text
}

function ownPart(text: string): string {
  let rest = text
  for (const piece of PIECES) rest = rest.replaceAll(piece, ' ')
  return rest
    .split(' ')
    .map(withoutRuns)
    .join('')
    .replace(/\d{4,}|(.)\1{2,}/gu, '')
}

/** Takes out pieces of at least three characters of a row. */
function withoutRuns(text: string): string {
  let own = ''
  for (let at = 0; at < text.length; ) {
    const run = runAt(text, at)
    if (run < RUN_MIN) own += text.charAt(at)
    at += run < RUN_MIN ? 1 : run
  }
  return own
}

function runAt(text: string, at: number): number {
  let chars = 1
  while (at + chars < text.length && BOTH_WAYS.some((row) => row.includes(text.slice(at, at + chars + 1)))) chars++
  return chars
}
