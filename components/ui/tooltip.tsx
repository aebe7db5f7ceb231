'use client'
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Once around the app: after the first tooltip the next ones come at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}

type Props = { text: ReactNode; children: ReactNode; side?: 'top' | 'bottom' | 'left' | 'right' }

/** A hint on hover and focus. The child is one element that can take focus; nothing is only in a tooltip. */
export function Tooltip({ text, children, side = 'top' }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="overlay-in z-50 max-w-80 rounded-md bg-raised px-2.5 py-1.5 text-small text-ink shadow-overlay"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
