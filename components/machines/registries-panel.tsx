import { Panel, PanelHead } from '@/components/ui/panel'
import type { RegistryHost } from '@/domain/machines'

/** The package registries of a machine, by its own package tools; what runs there may reach them where nothing else is allowed. */
export function RegistriesPanel({ registries }: { registries: readonly RegistryHost[] }) {
  return (
    <Panel aria-label="Package registries">
      <PanelHead title="Package registries" meta="of its own pip, uv and npm" />
      <ul className="px-4 py-2 empty:hidden">
        {registries.map(({ host, port }) => (
          <li key={`${host}:${port}`} className="truncate py-0.5 font-mono text-small" title={host}>
            {port === 443 ? host : `${host}:${port}`}
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-2 text-small text-ink-3">
        {registries.length === 0 ? 'They name none. ' : 'Every session and notebook here may reach these. '}
        Its agent reads them again every ten minutes.
      </p>
    </Panel>
  )
}
