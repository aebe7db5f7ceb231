'use client'
import { useEffect, useReducer, useState } from 'react'
import { useTRPCClient } from '@/components/api/client'
import { type Failure, failureOf } from '@/components/api/failure'
import type { WorkloadView } from '@/domain/views'
import type { TerminalConnection } from './connection'
import { FIRST_LINE, type LineEvent, nextLine, type SessionLine } from './session-line'
import { typeWhenFree } from './type-when-free'

/** Answers after which there is no terminal to come back to until the workload changes. */
const FINAL: readonly Failure['code'][] = ['not_found', 'forbidden', 'wrong_state', 'unauthenticated']

export type Session = {
  /** Null until its code is here. */
  connection: TerminalConnection | null
  line: SessionLine
  dismiss: (what: 'gap' | 'refused' | 'notice') => void
}

/** One terminal of a session for as long as its page is open. Who may open it asks to type; others only watch. */
export function useSession(workload: Pick<WorkloadView, 'id' | 'may'>, url: string): Session {
  const client = useTRPCClient()
  const [line, tell] = useReducer(nextLine, FIRST_LINE)
  const [connection, setConnection] = useState<TerminalConnection | null>(null)
  const { id } = workload
  const mayType = workload.may.includes('workload.open')
  useEffect(() => {
    let end = () => {}
    let isGone = false
    // Fetched apart: with the protocol's schemas it is more than the rest of this page.
    void import('./connection').then(({ TerminalConnection }) => {
      if (isGone) return
      const getTicket = () => ticketFor(client, id, mayType)
      const made = new TerminalConnection({ url, getTicket, mode: mayType ? 'control' : 'view', cols: 80, rows: 24 })
      const forget = [...listen(made, tell), ...(mayType ? [typeWhenFree(made)] : [])]
      end = () => {
        for (const undo of forget) undo()
        made.close()
      }
      setConnection(made)
    })
    return () => {
      isGone = true
      end()
    }
  }, [client, id, mayType, url])
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
