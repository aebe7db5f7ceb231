import { AccountPage } from '@/components/setup/account-page'
import { runtime } from '@/server/auth/runtime'
import { serverCaller, viewer } from '../server-api'

export const metadata = { title: 'Set up' }

/** Never redirects: a redirect would carry the secret of the link on to the next address. */
export default async function Page() {
  const { isOpen } = await (await serverCaller()).setup.status()
  const { port, version } = runtime()
  return <AccountPage isOpen={isOpen} isSignedIn={(await viewer()) !== null} port={port} version={version} />
}
