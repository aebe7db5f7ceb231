import { LIMITS } from '@/domain/limits'
import { hostPath } from '@/domain/mounts'
import { isWithin } from '@/domain/paths'

/** The allowed folders with one more, or what is wrong with it. One below an allowed folder is allowed already. Pure. */
export function addRoot(
  roots: readonly string[],
  typed: string,
): { roots: string[]; error: null } | { roots: null; error: string } {
  const path = hostPath.safeParse(typed.trim())
  if (!path.success) return { roots: null, error: path.error.issues[0]?.message ?? 'not a folder' }
  const above = roots.find((root) => isWithin(path.data, root))
  if (above !== undefined)
    return { roots: null, error: above === path.data ? 'allowed already' : `allowed already, below ${above}` }
  if (roots.length >= LIMITS.mountRootsMax) return { roots: null, error: `at most ${LIMITS.mountRootsMax} folders` }
  return { roots: [...roots, path.data], error: null }
}
