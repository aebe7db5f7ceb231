import { ShieldOff } from 'lucide-react'
import { Banner } from '@/components/ui/banner'
import { CopyField } from '@/components/ui/copy-field'
import type { MachineView } from '@/domain/views'
import { sandboxFix } from './isolation-words'

type Props = { machine: Pick<MachineView, 'name' | 'inventory'> | undefined; className?: string }

/** Programs run there without isolation: what that means, and the line that helps. On every screen that it touches. */
export function NoIsolation({ machine, className }: Props) {
  const fix = machine?.inventory ? sandboxFix(machine.inventory) : null
  return (
    <Banner
      icon={ShieldOff}
      tone="warn"
      title={machine ? `${machine.name} has no sandbox` : 'It runs without a sandbox'}
      {...(className && { className })}
    >
      <p>Programs there can read everything that Berth stores.</p>
      {fix ? <CopyField value={fix} label="the line that brings a sandbox" className="mt-2" /> : null}
    </Banner>
  )
}
