'use client'
import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

type Keep = (go: () => void) => boolean

let keep: Keep = () => false

/** Says what keeps a way while Berth does not answer; false from it: nothing has to be kept. */
export function keepBy(next: Keep): void {
  keep = next
}

/** Goes to a page of ours; while Berth does not answer, as soon as it does. */
export function useGo(): (href: string) => void {
  const { push } = useRouter()
  return useCallback((href) => keep(() => push(href)) || push(href), [push])
}
