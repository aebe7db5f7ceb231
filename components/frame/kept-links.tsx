'use client'
import { Unplug } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { isReconnecting } from '@/components/api/live'
import { Button } from '@/components/ui/button'
import { NoticeBar } from '@/components/ui/notice-bar'
import { KeptWay, pageOf } from './kept-way'
import { keepBy, useGo } from './use-go'

const AGAIN_MS = 1000

const way = new KeptWay({
  // Any answer of Berth's own will do; a gateway before it that finds nothing says 502.
  answers: () =>
    fetch('/api/trpc/system.info').then(
      ({ status }) => status < 500,
      () => false,
    ),
  pause: () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS)),
})

keepBy((go) => {
  const isKept = isReconnecting()
  if (isKept) void way.follow(go)
  return isKept
})

/**
 * Once in the frame, fetched after the page while Berth is there: a click on a link to a page of ours waits for a Berth that
 * does not answer, instead of losing this tab to a page of the browser's own.
 */
export function KeptLinks() {
  const go = useGo()
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const page = link && pageOf(partsOf(link), event, location.href)
      if (!page || !isReconnecting()) return
      event.preventDefault()
      go(page)
    }
    window.addEventListener('click', onClick, true)
    return () => window.removeEventListener('click', onClick, true)
  }, [go])
  const isKept = useSyncExternalStore(way.subscribe, way.get, () => false)
  if (!isKept) return null
  return (
    <NoticeBar
      icon={Unplug}
      title="Berth does not answer."
      actions={
        <Button size="xs" onClick={way.stay}>
          Stay here
        </Button>
      }
    >
      The page that you chose opens as soon as it does.
    </NoticeBar>
  )
}

function partsOf(link: HTMLAnchorElement) {
  return { href: link.href, target: link.target, hasDownload: link.hasAttribute('download') }
}
