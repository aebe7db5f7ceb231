import { CornerDownRight } from 'lucide-react'
import type { Placement, WorkloadSpec } from '@/domain/workloads'

/** Placed and asked class of a workload in words. A fallback is a class that was not asked for. Pure. */
export function classWords(
  spec: WorkloadSpec,
  placement: Placement | null,
): { text: string; isPlaced: boolean; asked: string | null } {
  const asked = spec.gpu === null ? null : (spec.gpu.class ?? 'any GPU')
  const placed = placement?.placedClass ?? null
  const count = placement && placement.devices.length > 0 ? placement.devices.length : (spec.gpu?.count ?? 0)
  const name = placed ?? asked
  if (name === null) return { text: 'CPU', isPlaced: placement !== null, asked: null }
  const text = count > 1 ? `${count} × ${name}` : name
  const isFallback = placed !== null && spec.gpu?.class !== null && spec.gpu?.class !== placed
  return { text, isPlaced: placement !== null, asked: isFallback ? asked : null }
}

/** The class it runs on, or the one it asks for; an arrow marks a fallback. */
export function ClassLabel({ spec, placement }: { spec: WorkloadSpec; placement: Placement | null }) {
  const { text, isPlaced, asked } = classWords(spec, placement)
  const isQuiet = !isPlaced || text === 'CPU'
  return (
    <span className={`block truncate ${isQuiet ? 'text-ink-3' : 'text-ink-2'}`} title={asked ? `asked ${asked}` : undefined}>
      {text}
      {asked ? (
        <>
          <CornerDownRight className="ml-1 inline size-3 text-ink-3" aria-hidden />
          <span className="sr-only">, placed by fallback; asked {asked}</span>
        </>
      ) : null}
    </span>
  )
}
