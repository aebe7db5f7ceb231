'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { parseViews, type SavedView, withView } from './saved-views'

const KEY = 'berth.views'
/** Told within this tab; other tabs are told by the browser. */
const CHANGED = 'berth-views'

/** The views that a person saved in this browser, in all of its tabs. */
export function useSavedViews() {
  const stored = useSyncExternalStore(subscribe, read, () => null)
  const views = useMemo(() => parseViews(stored), [stored])
  return {
    views,
    save: (view: SavedView) => write(withView(views, view)),
    forget: (name: string) => write(views.filter((view) => view.name !== name)),
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null // a browser that keeps nothing has no saved views
  }
}

function write(views: readonly SavedView[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(views))
  } catch {
    // A browser that keeps nothing: the view is lost with the tab, as everything there is.
  }
  dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', listener)
  }
}
