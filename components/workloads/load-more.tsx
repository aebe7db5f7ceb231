'use client'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'

type Props = { isBusy: boolean; onMore: () => void }

/** The end of what is loaded: when it comes in sight, the next page is asked for; a button for who comes by key. */
export function LoadMore({ isBusy, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef({ isBusy, onMore })
  useEffect(() => {
    latest.current = { isBusy, onMore }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that ends while the end is still in sight asks for the next one
  useEffect(() => {
    const { current } = end
    if (!current) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !latest.current.isBusy) latest.current.onMore()
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={end} className="flex justify-center py-3">
      <Button size="sm" isBusy={isBusy} onClick={onMore}>
        Load older
      </Button>
    </div>
  )
}
