import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from './banner'

/** What was sent was refused: what did not happen, and why. What was typed stays. */
export function Refused({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert">
      <Banner icon={CircleAlert} tone="bad" title={title} className="rounded-md">
        {children}
      </Banner>
    </div>
  )
}
