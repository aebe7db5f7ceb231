'use client'
import type { FormEvent } from 'react'
import { PackagesField } from '@/components/new/packages-field'
import { Panel, PanelHead } from '@/components/ui/panel'
import type { WorkloadView } from '@/domain/views'
import { SaveLine } from './save-line'
import { usePackages } from './use-packages'

/** What a notebook's kernels can import: changed while it does not run, so that a wrong package can be put right. */
export function PackagesPanel({ workload }: { workload: WorkloadView }) {
  const packages = usePackages(workload)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    packages.save()
  }
  return (
    <Panel aria-label="Packages" className="mt-4">
      <PanelHead title="Packages" meta={<span className="max-sm:hidden">besides the server’s own</span>} />
      <form method="dialog" onSubmit={submit}>
        <fieldset disabled={packages.whyNot !== null} className="p-4">
          <legend className="sr-only">Packages of its kernels</legend>
          <PackagesField
            label={<span className="sr-only">Packages</span>}
            value={packages.text}
            error={packages.error}
            onChange={packages.change}
          />
        </fieldset>
        <SaveLine {...packages} reset={() => packages.change(null)} when="Its next start installs them" />
      </form>
    </Panel>
  )
}
