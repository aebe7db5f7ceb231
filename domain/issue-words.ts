import type { z } from 'zod'
import { counted } from './reason'

type Issue = z.core.$ZodIssue
/** A field by its path in the input, and what it may be. */
type Wrong = { field: string; limit: string }

/** The first complaint of a schema, in our words: one sentence is enough to go on. Pure. */
export function wrongInput(error: z.ZodError): Wrong {
  const [first] = error.issues
  if (!first) return { field: 'input', limit: 'not valid' }
  const issue = deepest(first)
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...issue.path.map(String), ...unknown].join('.')
  return { field: field.slice(0, 100) || 'input', limit: limitOf(issue) }
}

/** What a schema says itself, or, where it has no words of its own, ours for the complaint: never those of its library. Pure. */
export function limitOf(issue: Issue): string {
  return OF_THE_LIBRARY.test(issue.message) ? ourWords(issue) : issue.message
}
/** How every text of the library begins; ours begin with a small letter. */
const OF_THE_LIBRARY = /^(Invalid|Too|Unrecognized)\b/

function ourWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : `${TYPES[issue.expected] ?? issue.expected} expected`
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return issue.inclusive === false
        ? `less than ${issue.maximum}`
        : `${bound(issue, 'at most')} ${sized(issue, issue.maximum)}`
    case 'too_small':
      return issue.inclusive === false
        ? `more than ${issue.minimum}`
        : `${bound(issue, 'at least')} ${sized(issue, issue.minimum)}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'not in the form that is asked for'
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'not a known field'
    case 'invalid_union':
      return 'none of the forms that it may have'
    case 'invalid_key':
      return 'a name in it is not valid'
    case 'invalid_element':
      return 'a value in it is not valid'
    case 'custom':
      return 'not valid'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', date: 'a date', null: 'null' },
  ...{ array: 'a list', tuple: 'a list', set: 'a list', object: 'an object', record: 'an object', map: 'an object' },
}
const FORMATS: Readonly<Record<string, string>> = {
  ...{ uuid: 'an id (a UUID)', email: 'an e-mail address', url: 'an address', datetime: 'a time such as 2026-01-31T12:00:00Z' },
}
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'item', file: 'byte' }

function bound({ exact }: { exact?: boolean | undefined }, otherwise: string): string {
  return exact ? 'exactly' : otherwise
}

function sized({ origin }: { origin: string }, size: number | bigint): string {
  const unit = UNITS[origin]
  return unit ? counted(Number(size), unit) : String(size)
}

/** Of a union, the complaint of its last branch: the one that says more than "or empty". */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.at(-1)?.[0]
  if (!inner) return issue
  const found = deepest(inner)
  return { ...found, path: [...issue.path, ...found.path] }
}
