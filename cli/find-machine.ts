import type { MachineView } from '@/domain/views'
import type { Api } from './api'
import { Failure } from './failure'

/** The machine of this name or id. Throws one sentence. */
export async function findMachine(api: Api, name: string): Promise<MachineView> {
  const machines = await api.query('machines', 'list', undefined)
  const found = machines.find((machine) => machine.name === name || machine.id === name)
  if (!found)
    throw new Failure(`there is no machine called ${name}; \`npm run berth -- machine ls\` lists them`, { code: 'not_found' })
  return found
}
