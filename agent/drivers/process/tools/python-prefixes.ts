import { readFile, readlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'

const HOPS_MAX = 16

/**
 * The folders that an interpreter needs to be itself: its own prefix, that of every link on the way to its program, and
 * of the Python that a virtual environment was made from. Null when it does not lie in a folder `bin`. Not judged yet.
 */
export async function pythonPrefixes(path: string): Promise<string[] | null> {
  const prefixes = new Set<string>()
  const hops = [...(await linkChain(path)), ...(await madeFrom(path))]
  for (const hop of hops) {
    if (isOfSystem(hop)) continue
    const folder = dirname(hop)
    if (!folder.endsWith('/bin')) return null
    prefixes.add(dirname(folder))
  }
  // What contains others comes first: a bind would hide what was bound below it.
  return [...prefixes].sort((a, b) => a.length - b.length)
}

/** Every sandbox sees these. */
function isOfSystem(path: string): boolean {
  return ['/usr/', '/bin/', '/lib/', '/lib64/'].some((folder) => path.startsWith(folder))
}

async function linkChain(path: string): Promise<string[]> {
  const chain = [path]
  for (let hop = path; chain.length <= HOPS_MAX; ) {
    const target = await readlink(hop).catch(() => null)
    if (target === null) return chain
    hop = isAbsolute(target) ? target : resolve(dirname(hop), target)
    chain.push(hop)
  }
  return chain
}

/** `home` in pyvenv.cfg: the folder `bin` of the Python behind a virtual environment. */
async function madeFrom(path: string): Promise<string[]> {
  const text = await readFile(join(dirname(dirname(path)), 'pyvenv.cfg'), 'utf8').catch(() => '')
  const home = /^home\s*=\s*(\/.*\S)\s*$/m.exec(text)?.[1]
  return home === undefined ? [] : await linkChain(join(home, 'python3'))
}
