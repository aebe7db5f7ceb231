'use client'
import { useEffect, useReducer, useState } from 'react'
import { useTRPCClient } from '@/components/api/client'
import { type Failure, failureOf } from '@/components/api/failure'
import type { WorkloadView } from '@/domain/views'
import { TerminalConnection } from './connection'
import { FIRST_LINE, type LineEvent, nextLine, type SessionLine } from './session-line'
import { typeWhenFree } from './type-when-free'

/** Answers after which there is no terminal to come back to until the workload changes. */
const FINAL: readonly Failure['code'][] = ['not_found', 'forbidden', 'wrong_state', 'unauthenticated']

export type Session = {
  connection: TerminalConnection
  line: SessionLine
  dismiss: (what: 'gap' | 'refused' | 'notice') => void
}

/** One terminal of a session for as long as its page is open. Who may open it asks to type; others only watch. */
export function useSession(workload: Pick<WorkloadView, 'id' | 'may'>, url: string): Session {
  const client = useTRPCClient()
  const [line, tell] = useReducer(nextLine, FIRST_LINE)
  const mayType = workload.may.includes('workload.open')
  const [connection] = useState(
    () =>
      new TerminalConnection({
        url,
        mode: mayType ? 'control' : 'view',
        cols: 80,
        rows: 24,
        getTicket: () => ticketFor(client, workload.id, mayType),
      }),
  )
  useEffect(() => {
    const forget = [...listen(connection, tell), ...(mayType ? [typeWhenFree(connection)] : [])]
    return () => {
      for (const undo of forget) undo()
      connection.close()
    }
  }, [connection, mayType])
  return { connection, line, dismiss: (what) => tell({ type: 'dismiss', what }) }
}

function listen(connection: TerminalConnection, tell: (event: LineEvent) => void): (() => void)[] {
  return [
    connection.on('status', (value) => tell({ type: 'status', value })),
    connection.on('mode', (value) => tell({ type: 'mode', value })),
    connection.on('presence', (value) => tell({ type: 'presence', value })),
    connection.on('size', (value) => tell({ type: 'size', value })),
    connection.on('snapshot', (value) => tell({ type: 'snapshot', value })),
    connection.on('gap', (value) => tell({ type: 'gap', value })),
    connection.on('exit', (value) => tell({ type: 'exit', value })),
    connection.on('notice', (value) => tell({ type: 'notice', value })),
  ]
}

async function ticketFor(client: ReturnType<typeof useTRPCClient>, workloadId: string, mayType: boolean): Promise<string | null> {
  try {
    const purpose = mayType ? 'terminal-control' : 'terminal-view'
    return (await client.workloads.ticket.mutate({ workloadId, purpose })).ticket
  } catch (error) {
    const { code } = failureOf(error)
    if (FINAL.includes(code)) return null
    throw error
  }
}
