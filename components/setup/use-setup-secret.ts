'use client'
import { useEffect, useState } from 'react'

/** The secret of the link; `reading` until the address was looked at, null when there is none. */
export type SetupSecret = string | 'reading' | null

/** Takes the secret out of the address at once: it stays in memory, and in no history, bookmark or screenshot. */
export function useSetupSecret(): SetupSecret {
  const [secret, setSecret] = useState<SetupSecret>('reading')
  useEffect(() => {
    const take = () => {
      const found = location.hash.slice(1)
      if (found !== '') history.replaceState(history.state, '', location.pathname + location.search)
      setSecret((known) => (found === '' ? (known === 'reading' ? null : known) : found))
    }
    take()
    // A second link pasted into the same tab changes the fragment only.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return secret
}
