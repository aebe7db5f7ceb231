'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { bytesText } from '@/components/ui/bytes'
import { Meter } from '@/components/ui/meter'
import { useTicking } from '@/components/ui/time'
import { classWords } from '@/components/workloads/class-label'
import { progressAmount, progressText, whatDiffers } from '@/components/workloads/words'
import type { WorkloadView } from '@/domain/views'
import type { Progress } from '@/domain/workloads'

/** What a workload does now: its reason, progress or place first, then where it runs. Short: one line, for cards. */
export function DoesNow({ workload, isShort }: { workload: WorkloadView; isShort?: boolean }) {
  const where = useWhere(workload)
  const text = useTicking((nowMs) => whatDiffers(workload, nowMs).text)
  const { needsSomeone } = whatDiffers(workload, 0)
  const { progress } = workload
  const isCounting = progress !== null && progress.total !== null && progress.done !== null && text === progressText(progress)
  const isPlain = workload.state === 'running' && !needsSomeone && workload.exitCode === null
  const held = useHeld(workload)
  const first = isPlain ? held : text
  if (isShort) {
    return (
      <div className="mt-0.5 truncate text-small text-ink-2">
        {isCounting ? (
          <Counting progress={progress} />
        ) : (
          <span className={needsSomeone ? 'text-warn' : undefined}>{isPlain ? where : first}</span>
        )}
      </div>
    )
  }
  return (
    <>
      <p className={needsSomeone ? 'truncate text-warn' : 'truncate'} title={first}>
        {isCounting ? stageText(progress) : first || where}
      </p>
      <div className="truncate text-small text-ink-3">{isCounting ? <Counting progress={progress} /> : first ? where : ''}</div>
    </>
  )
}

/** The stage without its numbers: they stand beside the bar. */
function stageText(progress: Progress): string {
  return progressText({ ...progress, unit: null })
}

function Counting({ progress }: { progress: Progress }) {
  return (
    <span className="flex items-center gap-2">
      <Meter
        value={(progress.done ?? 0) / (progress.total || 1)}
        label={stageText(progress)}
        isProgress
        className="w-20 shrink-0"
      />
      <span className="num whitespace-nowrap">{progressAmount(progress)}</span>
    </span>
  )
}

/** What it holds, and how much of its GPUs it uses as its machine measures it. */
function useHeld({ spec, placement }: WorkloadView): string {
  const trpc = useTRPC()
  const { data: machines } = useQuery(trpc.machines.list.queryOptions())
  if (!spec.gpu || !placement || placement.devices.length === 0) return `${spec.cpus} CPU, ${bytesText(spec.memoryBytes)}`
  const devices = machines?.find((m) => m.id === placement.machineId)?.inventory?.devices ?? []
  const own = devices.filter((d) => placement.devices.includes(d.uuid))
  const use = own.reduce((sum, d) => sum + d.use, 0) / own.length
  const name = `${placement.devices.length} × ${classWords(spec, placement).text.replace(/^\d+ × /, '')}`
  return own.length === 0 ? name : `${name}, ${Math.round(use * 100)} % used`
}

function useWhere({ spec, placement, reach }: WorkloadView): string {
  const trpc = useTRPC()
  const { data: catalog } = useQuery(trpc.catalog.get.queryOptions())
  const runtime = catalog?.runtimes.find((r) => r.id === spec.runtime)?.title ?? spec.runtime
  const machine = placement?.machineName ?? reach?.machineName
  return machine ? `${machine} · ${runtime}` : runtime
}
