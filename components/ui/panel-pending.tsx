import { Panel, PanelHead } from './panel'
import { SkeletonRows } from './skeleton'

/** A panel that is on its way, as high as it will be: what is below it stays where it is. */
export function PanelPending({ title, rows, className }: { title: string; rows?: number; className?: string }) {
  return (
    <Panel aria-label={title} {...(className && { className })}>
      <PanelHead title={title} />
      <SkeletonRows {...(rows !== undefined && { rows })} />
    </Panel>
  )
}
