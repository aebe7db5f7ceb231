'use client'
import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { useReturnFocus } from './use-return-focus'

export type DialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** Buttons, right-aligned; give the leftmost `mr-auto` for a way out. */
  footer?: ReactNode
  children?: ReactNode
  className?: string
  /** What is focused first; default: the first control. */
  onOpenAutoFocus?: ComponentProps<typeof Radix.Content>['onOpenAutoFocus']
}

/** A dialog over the page; focus is kept inside and returns to what opened it. On a phone it sits at the bottom. */
export function Dialog({ isOpen, onOpenChange, title, description, footer, children, className, onOpenAutoFocus }: DialogProps) {
  const focus = useReturnFocus(onOpenAutoFocus)
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="overlay-in fixed inset-0 z-40 bg-canvas/70" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          {...focus}
          className={cn(
            'overlay-in fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-110 -translate-1/2 flex-col rounded-md bg-raised shadow-overlay max-md:top-auto max-md:bottom-4 max-md:translate-y-0',
            className,
          )}
        >
          <div className="min-h-0 overflow-y-auto px-5 pt-4 pb-3">
            <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
            {description === undefined ? null : <Radix.Description className="text-ink-2">{description}</Radix.Description>}
            {children}
          </div>
          {footer ? (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
