import { Failure } from './failure'

/** Which option of a command gives which field of the API's input; a field below it counts too. */
export type Flags = Readonly<Record<string, string>>

/** Says a refusal in the words of the command line: the option that the person typed, not the field that it became. */
export async function inFlags<T>(flags: Flags, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const field = error instanceof Failure ? error.field : null
    const flag = field && Object.keys(flags).find((name) => field.name === name || field.name.startsWith(`${name}.`))
    if (!field || !flag) throw error
    throw new Failure(`${flags[flag]}: ${field.limit}`, { code: 'invalid', exitCode: 2, cause: error })
  }
}
