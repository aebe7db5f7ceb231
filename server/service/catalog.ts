import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { type Catalog, catalog } from '@/domain/catalog'

/** Reads and validates a catalog file. A fault names the file and the entry, and Berth does not start. */
export async function loadCatalog(path: string): Promise<Catalog> {
  const parsed = catalog.safeParse(await readYaml(path))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new Error(`${path}: ${issue?.path.join('.') ?? 'catalog'}: ${issue?.message ?? 'not valid'}`)
  }
  checkReferences(path, parsed.data)
  return parsed.data
}

async function readYaml(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`BERTH_CATALOG: ${path} cannot be read (${cause.code})`, { cause })
  })
  try {
    return parse(text)
  } catch (cause) {
    // Its words go over several lines and show the place; the first one says what and where.
    const [first = ''] = (cause instanceof Error ? cause.message : '').split('\n')
    throw new Error(`${path}: ${first || 'is not YAML'}`, { cause })
  }
}

function checkReferences(path: string, { runtimes, sizes, classes }: Catalog): void {
  const sizeIds = new Set(sizes.map((size) => size.id))
  const classIds = new Set(classes.map((c) => c.id))
  const unknownSize = runtimes.find((runtime) => !sizeIds.has(runtime.defaultSize))
  if (unknownSize) throw new Error(`${path}: runtime ${unknownSize.id}: there is no size ${unknownSize.defaultSize}`)
  for (const { id, fallbacks } of classes) {
    const unknown = fallbacks.find((fallback) => !classIds.has(fallback))
    if (unknown) throw new Error(`${path}: class ${id}: there is no class ${unknown}`)
  }
}
