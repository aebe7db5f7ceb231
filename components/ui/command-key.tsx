'use client'
import { useSyncExternalStore } from 'react'

const never = () => () => {}
const ofThisComputer = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl ')

/** How this computer's keyboard calls the key of commands. Both are obeyed everywhere; one is told. */
export function CommandKey() {
  return useSyncExternalStore(never, ofThisComputer, () => 'Ctrl ')
}
