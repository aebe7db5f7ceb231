'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTRPC, useTRPCClient } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { type Kept, Refused } from './data-host'

export type DataHost = {
  origin: string
  /** A fresh ticket for one request. Errors: Refused; what the connection throws when nothing answers. */
  getTicket: (kept: Kept | 'notebooks') => Promise<string>
}

const PURPOSES = { terminal: 'record', output: 'logs', build: 'logs', notebooks: 'outputs' } as const

/** The way to what a machine keeps of a workload; null until its address is known. */
export function useDataHost(workloadId: string): DataHost | null {
  const client = useTRPCClient()
  const { data } = useQuery(useTRPC().system.info.queryOptions())
  const origin = data?.dataOrigin
  return useMemo(() => {
    if (!origin) return null
    const getTicket = async (kept: Kept | 'notebooks') => {
      try {
        return (await client.workloads.ticket.mutate({ workloadId, purpose: PURPOSES[kept] })).ticket
      } catch (error) {
        const { code, text } = failureOf(error)
        throw code === null ? error : new Refused(403, code, text)
      }
    }
    return { origin, getTicket }
  }, [client, origin, workloadId])
}
