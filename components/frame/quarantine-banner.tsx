'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTRPC } from '@/components/api/client'

const Notice = dynamic(() => import('./quarantine-notice').then((m) => m.QuarantineNotice), { loading: () => null })

/** The database was restored: nothing starts or ends until an operator has looked. On every page. */
export function QuarantineBanner({ isOperator }: { isOperator: boolean }) {
  const { data } = useQuery(useTRPC().system.info.queryOptions())
  return data?.isQuarantined ? <Notice isOperator={isOperator} /> : null
}
