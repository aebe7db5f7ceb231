import type { ReactNode } from 'react'

/** A part of the panel beside a terminal, under a quiet head. */
export function PanelPart({ title, meta, children }: { title: string; meta?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h3 className="flex h-7 items-center border-y border-line bg-sunken px-4 text-micro font-medium text-ink-3">
        {title}
        {meta === undefined ? null : <span className="ml-auto font-normal">{meta}</span>}
      </h3>
      {children}
    </section>
  )
}
