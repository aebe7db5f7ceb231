/** A command as a list of arguments, or what is wrong with it. */
export type CommandLine = { args: string[]; error: null } | { args: null; error: string }

/**
 * Splits a typed command at spaces; single and double quotes keep spaces together, a backslash the next character. There is
 * no shell: variables, pipes and wildcards stay the characters that they are. Pure.
 */
export function splitCommand(text: string): CommandLine {
  const args: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i)
    if (c === '\\' && quote !== "'" && i + 1 < text.length) {
      i += 1
      word = (word ?? '') + text.charAt(i)
    } else if (quote !== null) {
      if (c === quote) quote = null
      else word = (word ?? '') + c
    } else if (c === "'" || c === '"') {
      quote = c
      word ??= ''
    } else if (/\s/.test(c)) {
      if (word !== null) args.push(word)
      word = null
    } else word = (word ?? '') + c
  }
  if (quote !== null) return { args: null, error: `the ${quote === '"' ? 'double' : 'single'} quote is not closed` }
  if (word !== null) args.push(word)
  return { args, error: null }
}

/** The command as one line that splits into the same arguments. Pure. */
export function joinCommand(args: readonly string[]): string {
  return args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(' ')
}
