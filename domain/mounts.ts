import { z } from 'zod'
import { LIMITS } from './limits'
import { HOST_PATH, withoutClosingSlash } from './paths'

/** A path on a machine: absolute, without `.`, `..` or doubled slashes; a closing one is taken off. */
export const hostPath = z
  .string()
  .max(LIMITS.pathChars, `at most ${LIMITS.pathChars} characters`)
  .overwrite(withoutClosingSlash)
  .regex(HOST_PATH, 'an absolute path below /, without ., .. or //')

/** A folder of the machine, shown inside at `/workspace/<its last name>`. */
const mount = z.strictObject({ path: hostPath, mode: z.enum(['ro', 'rw']).default('ro') })
export type Mount = z.infer<typeof mount>

/** The folders of one workload: each has a last name of its own. */
export const mounts = z
  .array(mount)
  .max(LIMITS.mountsMax, `at most ${LIMITS.mountsMax} folders`)
  .refine((all) => new Set(all.map((m) => mountName(m.path))).size === all.length, 'two folders have the same last name')

/** The name under which a folder appears in `/workspace`. Pure. */
export function mountName(path: string): string {
  const folder = withoutClosingSlash(path)
  return folder.slice(folder.lastIndexOf('/') + 1)
}
