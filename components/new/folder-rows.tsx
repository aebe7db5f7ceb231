'use client'
import { FolderPlus, FolderX, X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { LIMITS } from '@/domain/limits'
import { type Mount, mountName } from '@/domain/mounts'
import { AllowHome } from './allow-home'
import { folderProblem, type MountPlace } from './mount-place'

type Props = {
  mounts: readonly Mount[]
  errors: Readonly<Record<string, string>>
  place: MountPlace
  /** A folder that is offered when none is allowed yet. */
  homeFolder: string
  onChange: (mounts: Mount[]) => void
}

/** Folders of the machine, one a row: where it is, what may be done with it. */
export function FolderRows({ mounts, errors, place, homeFolder, onChange }: Props) {
  const patch = (at: number, change: Partial<Mount>) => onChange(mounts.map((m, i) => (i === at ? { ...m, ...change } : m)))
  const problems = mounts.map((mount, i) => errors[`mounts.${i}`] ?? folderProblem(mount.path, place))
  const isFull = mounts.length >= LIMITS.mountsMax
  return (
    <div className="flex flex-col gap-2.5">
      <Allowed place={place} homeFolder={homeFolder} />
      <ul className="flex flex-col gap-2.5 empty:hidden">
        {mounts.map((mount, i) => (
          <FolderRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place while they are typed
            key={i}
            number={i + 1}
            mount={mount}
            error={problems[i] ?? null}
            onChange={(change) => patch(i, change)}
            onRemove={() => onChange(mounts.filter((_, at) => at !== i))}
          />
        ))}
      </ul>
      {errors.mounts && problems.every((problem) => problem === null) ? (
        <p role="alert" className="text-small text-bad">
          {errors.mounts}
        </p>
      ) : null}
      {place.roots.length > 0 ? (
        <Button
          size="sm"
          className="w-fit"
          disabled={isFull}
          onClick={() => onChange([...mounts, { path: mounts.length === 0 ? `${place.roots[0] ?? ''}/` : '', mode: 'ro' }])}
        >
          <FolderPlus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          {isFull ? `At most ${LIMITS.mountsMax} folders` : 'Add a folder'}
        </Button>
      ) : null}
    </div>
  )
}

/** Below which folders they may lie; or the question that allows the first one; or why there are none. */
function Allowed({ place, homeFolder }: Pick<Props, 'place' | 'homeFolder'>) {
  const { machine, roots, problem, canAllow } = place
  if (machine && canAllow) return <AllowHome machine={machine} homeFolder={homeFolder} />
  if (problem) {
    return (
      <p className="flex items-center gap-2 text-ink-2">
        <FolderX className="size-3.5 shrink-0 text-ink-3" aria-hidden />
        {problem}.
      </p>
    )
  }
  return (
    <p className="text-small text-ink-2">
      Allowed on {machine?.name}: <span className="font-mono">{roots.join(', ')}</span> and below
    </p>
  )
}

type RowProps = {
  number: number
  mount: Mount
  error: string | null
  onChange: (change: Partial<Mount>) => void
  onRemove: () => void
}

function FolderRow({ number, mount, error, onChange, onRemove }: RowProps) {
  const id = useId()
  const name = mountName(mount.path.trim())
  return (
    <li>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <Input
            isMono
            aria-label={`Folder ${number}`}
            aria-describedby={id}
            {...(error && { 'aria-invalid': true })}
            value={mount.path}
            onChange={(e) => onChange({ path: e.target.value })}
            maxLength={LIMITS.pathChars}
            placeholder="/home/…/data"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Segmented
          label={`What may be done with folder ${number}`}
          value={mount.mode}
          onChange={(mode) => onChange({ mode: mode === 'rw' ? 'rw' : 'ro' })}
          options={[
            { value: 'ro', label: 'Read only' },
            { value: 'rw', label: 'Read and write' },
          ]}
        />
        <IconButton icon={X} label={`Leave out folder ${number}`} onClick={onRemove} />
      </div>
      <p id={id} role={error ? 'alert' : undefined} className={`mt-1 text-small ${error ? 'text-bad' : 'text-ink-3'}`}>
        {error ?? (name === '' ? 'Nothing is mounted while this is empty' : `Inside: /workspace/${name}`)}
      </p>
    </li>
  )
}
