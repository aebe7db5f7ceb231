'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useTRPCClient } from './client'
import { failureOf } from './failure'
import { LateReads } from './late-reads'
import { applyLive } from './live-patch'
import { type LiveDeps, type LiveStatus, LiveTab, type LiveWord } from './live-tab'

const NAME = 'berth-live'

let status: LiveStatus = 'connecting'
const listeners = new Set<() => void>()

/** Whether changes arrive by themselves now. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    onStatusChange,
    () => status,
    () => 'connecting',
  )
}

/** Is Berth away, and being asked again? */
export const isReconnecting = (): boolean => status === 'reconnecting'

/** Once in the frame: keeps the cache of this tab live, by one subscription for all tabs of the browser. */
export function useLive(onSignedOut: () => void): void {
  const queryClient = useQueryClient()
  const trpcClient = useTRPCClient()
  useEffect(() => {
    const stop = new AbortController()
    const channel = new BroadcastChannel(NAME)
    const late = new LateReads(queryClient)
    const unwatch = late.watch()
    new LiveTab(
      {
        subscribe: subscribeBy(trpcClient),
        asLeader,
        say: (word) => channel.postMessage(word),
        listen: (onWord) => {
          channel.onmessage = (event: MessageEvent<LiveWord>) => onWord(event.data)
        },
        onChange: (change) => {
          // Noted first: what is asked because of it knows it already.
          late.note(change)
          applyLive(queryClient, change)
        },
        onStatus: (next) => {
          setStatus(next)
          if (next === 'ended') onSignedOut()
        },
      },
      stop.signal,
    )
    return () => {
      stop.abort()
      unwatch()
      channel.close()
    }
  }, [queryClient, trpcClient, onSignedOut])
}

function subscribeBy(client: ReturnType<typeof useTRPCClient>): LiveDeps['subscribe'] {
  return (counter, on) => {
    const subscription = client.live.changes.subscribe(counter === null ? {} : { lastEventId: String(counter) }, {
      onStarted: () => on.onStatus('live'),
      onData: (event) => on.onChange(event.data),
      onConnectionStateChange: (connection) => {
        if (connection.state === 'pending') on.onStatus('live')
        if (connection.state === 'connecting' && connection.error) on.onStatus('reconnecting')
      },
      onComplete: on.onEnd,
      onError: (error) => {
        if (failureOf(error).code === 'unauthenticated') on.onStatus('ended')
        else on.onEnd()
      },
    })
    return () => subscription.unsubscribe()
  }
}

/** Without Web Locks (never on a dashboard address of ours) each tab leads itself. */
const asLeader: LiveDeps['asLeader'] = (lead, signal) => {
  if (!('locks' in navigator)) {
    void lead(signal)
    return
  }
  navigator.locks
    .request(NAME, { signal }, () => lead(signal))
    .catch(() => {
      // The wait for the lock ended with the page: nothing is left to do.
    })
}

function setStatus(next: LiveStatus): void {
  if (next === status) return
  status = next
  for (const listener of listeners) listener()
}

function onStatusChange(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
