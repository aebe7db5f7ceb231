'use client'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastsWanted } from './toast'

const Toaster = lazy(() => import('./toaster').then((m) => ({ default: m.Toaster })))

/** Once in the layout: the place where toasts appear. */
export function Toasts() {
  const isOn = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, () => false)
  if (!isOn) return null
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  )
}
