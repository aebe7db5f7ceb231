import { CopyText } from '@/components/ui/copy-field'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import { Age, Moment } from '@/components/ui/time'
import type { Machine } from '@/domain/machines'
import type { MachineView } from '@/domain/views'
import { MachineStatus } from './machine-status'

const SHARING: Record<Exclude<Machine['sharing'], 'owner'>, string> = {
  tenant: 'everybody in this place',
  invited: 'people who were invited',
  everyone: 'everybody on this Berth',
}

/** Who may use a machine, how it is reached, since when. */
export function MachineFacts({ machine }: { machine: MachineView }) {
  return (
    <Panel aria-label="Machine">
      <PanelHead title={machine.name}>
        <MachineStatus machine={machine} className="text-small" />
      </PanelHead>
      <FactList>
        <Fact label="Region">{machine.region}</Fact>
        <Fact label="Used by">{usersOf(machine)}</Fact>
        <Fact label="Last contact">
          {machine.lastContactAt ? <Age at={machine.lastContactAt} suffix=" ago" className="tabular-nums" /> : 'never'}
        </Fact>
        <Fact label="Joined">
          <Moment at={machine.createdAt} shape="date" />
        </Fact>
        <Fact label="Agent">
          {machine.inventory ? <span className="num text-small">{machine.inventory.agentVersion}</span> : 'not heard of yet'}
        </Fact>
        <Fact label="Connection" meta={connectionsText(machine.machineGen)}>
          {machine.isConnected ? 'open' : 'none now'}
        </Fact>
        {machine.bootId ? (
          <Fact label="Boot">
            <CopyText value={machine.bootId} shown={machine.bootId.slice(0, 8)} label="the id of this boot" />
          </Fact>
        ) : null}
        <Fact label="Id">
          <CopyText value={machine.id} shown={machine.id.slice(-12)} label="the id of this machine" />
        </Fact>
      </FactList>
    </Panel>
  )
}

/** How often it has connected since it joined. */
function connectionsText(connections: number): string {
  return connections === 1 ? 'the first since it joined' : `number ${connections} since it joined`
}

function usersOf({ sharing, ownerName }: MachineView): string {
  return sharing === 'owner' ? `${ownerName ?? 'somebody else'} only` : SHARING[sharing]
}
