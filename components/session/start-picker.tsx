'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTRPC } from '@/components/api/client'
import { Select } from '@/components/ui/select'
import { momentText } from '@/components/ui/time'
import type { WorkloadView } from '@/domain/views'

type Props = { workload: WorkloadView; value: string | null; onChange: (placementId: string | null) => void }

/** Which start's record: after park and resume the one before is kept too. Nothing while there was only one. */
export function StartPicker({ workload: { id, workloadGen }, value, onChange }: Props) {
  const { data, refetch } = useQuery(useTRPC().workloads.starts.queryOptions({ id }))
  const isOld = data !== undefined && data[0]?.workloadGen !== workloadGen
  useEffect(() => {
    // It was started again while the page is open.
    if (isOld) void refetch()
  }, [isOld, refetch])
  if (!data || data.length < 2) return null
  const options = data.map(({ placementId, workloadGen, createdAt }, i) => ({
    value: i === 0 ? '' : placementId,
    label: `Start ${workloadGen}, ${momentText(createdAt, 'date')}`,
  }))
  return (
    <div className="px-4 pt-3">
      <Select
        aria-label="Which start"
        value={value ?? ''}
        onChange={(id) => onChange(id === '' ? null : id)}
        options={options}
        className="w-full"
      />
    </div>
  )
}
