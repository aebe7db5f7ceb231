/** A view of the list that a person saved in this browser: a name, and what the URL says. */
export type SavedView = { name: string; query: string }

const NAME_CHARS_MAX = 40
const VIEWS_MAX = 20

/** What this browser has kept; anything else than saved views counts as none. Pure. */
export function parseViews(stored: string | null): SavedView[] {
  if (stored === null) return []
  try {
    const raw: unknown = JSON.parse(stored)
    return Array.isArray(raw) ? raw.filter(isSavedView).slice(0, VIEWS_MAX) : []
  } catch {
    return [] // written by another version or by hand: nothing that a person could repair
  }
}

/** The views with one more; the same name is replaced. Pure. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const name = view.name.trim().slice(0, NAME_CHARS_MAX)
  if (name === '') return [...views]
  return [...views.filter((known) => known.name !== name), { name, query: normalQuery(view.query) }].slice(-VIEWS_MAX)
}

/** The same view always has the same text, in whatever order the URL names its parts. Pure. */
export function normalQuery(query: string): string {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}

function isSavedView(raw: unknown): raw is SavedView {
  return (
    typeof raw === 'object' &&
    raw !== null &&
    'name' in raw &&
    typeof raw.name === 'string' &&
    'query' in raw &&
    typeof raw.query === 'string'
  )
}
