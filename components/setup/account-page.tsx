'use client'
import { ArrowRight, KeyRound, Lock } from 'lucide-react'
import { Banner } from '@/components/ui/banner'
import { Button, buttonClass } from '@/components/ui/button'
import { CopyField } from '@/components/ui/copy-field'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { Refused } from '@/components/ui/refused'
import { AccountFields } from './account-fields'
import { FactsPanel } from './facts-panel'
import { SetupFrame } from './setup-frame'
import { useCreateAccount } from './use-create-account'
import { useSetupSecret } from './use-setup-secret'

const NEW_LINK = 'npm run berth -- setup-link'

type Props = { isOpen: boolean; isSignedIn: boolean; port: number; version: string }

/** The first page of a new Berth: the account that owns it. */
export function AccountPage({ isOpen, isSignedIn, port, version }: Props) {
  const secret = useSetupSecret()
  return (
    <SetupFrame step={isOpen ? 1 : null} version={version}>
      <main className="mx-auto grid w-full max-w-258 flex-1 content-start gap-x-20 gap-y-8 px-4 pt-8 pb-14 lg:pt-[13vh] lg:grid-cols-[440px_minmax(0,1fr)]">
        <div>
          <h1 className="text-title font-semibold">{isOpen ? 'Create the first account' : 'Set-up is done'}</h1>
          <p className="mt-1 text-ink-2">
            {isOpen ? 'It owns this Berth, this machine and everything that runs on it.' : 'An account exists already.'}
          </p>
          {isOpen ? null : <Closed isSignedIn={isSignedIn} />}
          {isOpen && secret === null ? <NoLink /> : null}
          {isOpen && secret !== null ? <AccountForm secret={secret} /> : null}
        </div>
        <aside className="self-start lg:mt-21">
          <FactsPanel port={port} isOpen={isOpen} />
          {isOpen && secret !== null ? <AnotherLink /> : null}
        </aside>
      </main>
    </SetupFrame>
  )
}

function AccountForm({ secret }: { secret: string }) {
  const { errors, failure, isBusy, create } = useCreateAccount(secret)
  const isRefused = failure?.code === 'setup_secret'
  return (
    <form
      method="dialog"
      noValidate
      className="mt-7 flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void create(new FormData(event.currentTarget))
      }}
    >
      <AccountFields errors={errors} />
      {failure && Object.keys(errors).length === 0 ? (
        <Refused title="The account was not created">
          <p>
            {isRefused
              ? 'This link is wrong, used or older than 15 minutes. In the folder of Berth this prints a new one:'
              : failure.text}
          </p>
          {isRefused ? <CopyField value={NEW_LINK} label="the command for a new link" className="mt-2" /> : null}
        </Refused>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={isBusy || secret === 'reading'} className="h-9 gap-2 px-4">
          Create account
          <ArrowRight className="size-3.5 shrink-0" aria-hidden />
        </Button>
        <span className="text-small text-ink-3">Next: what this machine can run</span>
      </div>
    </form>
  )
}

/** Opened without the secret: where it is, and how to get a new one. */
function NoLink() {
  return (
    <Panel className="mt-7">
      <Banner icon={KeyRound} tone="warn" title="This page needs the link from your terminal">
        <p>Berth prints it when it starts. It works once, for 15 minutes. In the folder of Berth this prints a new one:</p>
        <CopyField value={NEW_LINK} label="the command for a new link" className="mt-2" />
      </Banner>
    </Panel>
  )
}

/** How to go on when the link has ended. */
function AnotherLink() {
  return (
    <div className="mt-4 rounded-md border border-line bg-term px-5 py-3 font-mono text-small leading-5 text-term-ink">
      <p>
        <span className="text-term-dim">$</span> {NEW_LINK}
      </p>
      <p className="text-term-dim">prints a new link when this one has ended</p>
    </div>
  )
}

function Closed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Panel className="mt-7">
      <Banner icon={Lock} tone="ink" title="This link does nothing any more">
        <p>A set-up link makes the first account and no other.</p>
        <Link href={isSignedIn ? '/' : '/sign-in'} className={buttonClass({ size: 'sm' }, 'mt-2')}>
          {isSignedIn ? 'Go to Home' : 'Sign in'}
        </Link>
      </Banner>
    </Panel>
  )
}
