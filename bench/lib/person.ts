import { Agent, type IncomingMessage, request } from 'node:http'
import type { Page } from '@playwright/test'
import type { WorkloadView } from '@/domain/views'
import { wait } from './process'

const ACCOUNT = { name: 'Bench', email: 'bench@example.org', password: 'mossy granite plover ferry 41', tenantName: 'Bench' }
type Answer = { status: number; body: string; cookies: string[] }

/** A signed-in person who speaks to Berth as its pages do, without a browser. */
export class Person {
  readonly port: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly #cookies = new Map<string, string>()

  constructor(port: number) {
    this.port = port
  }

  /** Makes the first account by the printed link and signs in. */
  async signUp(link: string): Promise<void> {
    const secret = new URL(link).hash.slice(1)
    await this.call('setup.create', { ...ACCOUNT, secret })
    const csrf = await this.#send('GET', '/api/auth/csrf')
    const { csrfToken } = JSON.parse(csrf.body)
    const { email, password } = ACCOUNT
    const answer = await this.#send('POST', '/api/auth/callback/credentials', { csrfToken, email, password })
    if (answer.status !== 200) throw new Error(`not signed in: ${answer.status} ${answer.body}`)
  }

  /** Signs a browser in as the same person. */
  async signInWith(page: Page): Promise<void> {
    await page.goto(`http://berth.localhost:${this.port}/sign-in`)
    await page.getByLabel('Email').fill(ACCOUNT.email)
    await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  }

  /** A mutation. */
  async call<T>(name: string, input: unknown): Promise<T> {
    return resultOf(name, await this.#send('POST', `/api/trpc/${name}`, { json: input }))
  }

  /** A query. */
  async ask<T>(name: string, input?: unknown): Promise<T> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
    return resultOf(name, await this.#send('GET', `/api/trpc/${name}${query}`))
  }

  /** The machine has joined when there is one to run on. */
  async machineIsHere(): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const machines = await this.ask<{ id: string; isConnected?: boolean; inventory?: unknown }[]>('machines.list')
      if (machines.some((m) => m.inventory)) return
      await wait(100)
    }
    throw new Error('the machine did not join')
  }

  create(kind: 'session' | 'notebook', runtime: string, cpus = 1): Promise<WorkloadView> {
    const spec = { runtime, cpus, memoryBytes: 1_073_741_824, diskBytes: 1_073_741_824 }
    return this.call<WorkloadView>('workloads.create', { kind, spec })
  }

  /** Asks again until the workload is in one of `states`. Not for measured parts: those listen to `changes`. */
  async until(id: string, states: readonly string[], withinMs = 60_000): Promise<WorkloadView> {
    const end = performance.now() + withinMs
    while (performance.now() < end) {
      const view = await this.ask<WorkloadView>('workloads.get', { id })
      if (states.includes(view.state)) return view
      if (view.state === 'failed') throw new Error(`failed: ${JSON.stringify(view.reason)}`)
      await wait(50)
    }
    throw new Error(`the workload was not ${states.join(' or ')} in time`)
  }

  async remove(id: string): Promise<void> {
    await this.call('workloads.delete', { id })
    await this.until(id, ['removed'])
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Follows what changes, as the dashboard does. Returns what ends it. */
  follow(onWorkload: (view: WorkloadView) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const { headers, host, port } = this.#target('GET')
      const asked = request({ host, port, path: '/api/trpc/live.changes', headers: { ...headers, accept: 'text/event-stream' } })
      asked.on('error', reject)
      asked.on('response', (answer) => {
        readEvents(answer, (data) => {
          const { json } = data as { json?: { workloads?: WorkloadView[] } }
          for (const view of json?.workloads ?? []) onWorkload(view)
        })
        resolve(() => asked.destroy())
      })
      asked.end()
    })
  }

  #target(method: string) {
    const origin = `http://berth.localhost:${this.port}`
    const host = `berth.localhost:${this.port}`
    const headers: Record<string, string> = { host, cookie: this.#cookieHeader() }
    if (method === 'POST') Object.assign(headers, { origin, 'content-type': 'application/json' })
    return { host: '127.0.0.1', port: this.port, headers }
  }

  #send(method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request({ ...this.#target(method), method, path, agent: this.#agent }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () => {
          const cookies = answer.headers['set-cookie'] ?? []
          for (const cookie of cookies) this.#keep(cookie)
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString(), cookies })
        })
        answer.on('error', reject)
      })
      asked.on('error', reject)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';', 1)
    const at = pair.indexOf('=')
    this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function resultOf<T>(name: string, answer: Answer): T {
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.body.slice(0, 500)}`)
  return JSON.parse(answer.body).result.data.json
}

function readEvents(answer: IncomingMessage, onData: (data: unknown) => void): void {
  let rest = ''
  answer.on('data', (piece: Buffer) => {
    const lines = (rest + piece.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data: ') && line.length > 8) onData(JSON.parse(line.slice(6)))
    }
  })
}
