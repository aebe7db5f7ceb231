import type { LucideIcon } from 'lucide-react'

export type ToastRow = {
  text: string
  icon?: LucideIcon
  tone?: 'plain' | 'good' | 'bad'
  /** One way back, such as Undo. */
  action?: { label: string; onClick: () => void }
}

const queue: ToastRow[] = []
const listeners = new Set<() => void>()
let isWanted = false
let show: ((row: ToastRow) => void) | null = null

/** Says that something happened. The code that draws toasts is loaded with the first one. */
export function toast(row: ToastRow): void {
  if (show) {
    show(row)
    return
  }
  queue.push(row)
  isWanted = true
  for (const listener of listeners) listener()
}

/** Called by the toaster once it is on the page: shows what waited for it. */
export function connectToaster(draw: (row: ToastRow) => void): () => void {
  show = draw
  for (const row of queue.splice(0)) draw(row)
  return () => {
    show = null
  }
}

/** Whether anything was said yet: only then the toaster is needed. */
export const toastsWanted = { subscribe, get: () => isWanted }

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
