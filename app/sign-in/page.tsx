import { redirect } from 'next/navigation'
import { SignInPage } from '@/components/sign-in/sign-in-page'
import { returnPath } from '@/domain/return-path'
import { runtime } from '@/server/auth/runtime'
import { serverCaller, viewer } from '../server-api'

export const metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ next?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const { next } = await searchParams
  const target = returnPath(typeof next === 'string' ? next : null)
  if (await viewer()) redirect(target)
  const { isOpen } = await (await serverCaller()).setup.status()
  if (isOpen) redirect('/setup')
  return <SignInPage next={target} version={runtime().version} />
}
