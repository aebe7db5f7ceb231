import { failureOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'
import { downloadByForm, type Kept, Refused } from './data-host'
import type { DataHost } from './use-data-host'

/** Downloads what a machine keeps of a workload; a toast says why it cannot. */
export async function downloadKept(host: DataHost, kept: Kept, fields: Readonly<Record<string, string>>): Promise<void> {
  const path = kept === 'terminal' ? '/record' : '/logs'
  try {
    downloadByForm(`${host.origin}${path}`, { ticket: await host.getTicket(kept), ...fields })
  } catch (error) {
    toast({ text: error instanceof Refused ? error.message : failureOf(error).text, tone: 'bad' })
  }
}
