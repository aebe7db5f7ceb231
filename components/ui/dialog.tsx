'use client'
import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-parts'

const Opened = lazy(() => import('./dialog-parts').then((parts) => ({ default: parts.Dialog })))

/** A dialog over the page. The code that draws dialogs is fetched with the first one. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <Opened {...props} />
    </Suspense>
  )
}
