import superjson from 'superjson'
import { z } from 'zod'
import { addresses } from '@/domain/settings'
import type { AppRouter } from '@/server/api/root'
import { Failure } from './failure'
import { send, textOf } from './http'

type Nouns = AppRouter['_def']['record']
type Types<N extends keyof Nouns, V extends keyof Nouns[N]> = Nouns[N][V] extends { _def: { $types: infer T } } ? T : never
type Input<N extends keyof Nouns, V extends keyof Nouns[N]> = Types<N, V> extends { input: infer I } ? I : never
/** What a procedure answers. */
export type Output<N extends keyof Nouns, V extends keyof Nouns[N]> = Types<N, V> extends { output: infer O } ? O : never

const answered = z.object({ result: z.object({ data: z.custom<Parameters<typeof superjson.deserialize>[0]>() }) })
const berth = z.object({ code: z.string(), args: z.unknown() })
const refused = z.object({ error: z.object({ json: z.object({ message: z.string(), data: z.object({ berth }) }) }) })
const invalid = z.object({ field: z.string(), limit: z.string() })

/** Berth's API with the types of its routers: `api.query('workloads', 'get', { id })`. */
export class Api {
  readonly port: number
  readonly #token: string | null
  readonly #isTokenGiven: boolean

  constructor(options: { port: number; token: string | null; isTokenGiven?: boolean }) {
    this.port = options.port
    this.#token = options.token
    this.#isTokenGiven = options.isTokenGiven ?? false
  }

  /** Asks; changes nothing. Throws a Failure with Berth's own sentence. */
  async query<N extends keyof Nouns, V extends keyof Nouns[N]>(noun: N, verb: V, input: Input<N, V>): Promise<Output<N, V>> {
    const given = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`
    return this.#call<Output<N, V>>({ method: 'GET', path: `${pathOf(noun, verb)}${given}` })
  }

  /** Changes something. Throws a Failure with Berth's own sentence. */
  async mutate<N extends keyof Nouns, V extends keyof Nouns[N]>(noun: N, verb: V, input: Input<N, V>): Promise<Output<N, V>> {
    return this.#call<Output<N, V>>({
      method: 'POST',
      path: pathOf(noun, verb),
      body: JSON.stringify(superjson.serialize(input)),
    })
  }

  async #call<O>(asked: { method: 'GET' | 'POST'; path: string; body?: string }): Promise<O> {
    const headers = {
      'content-type': 'application/json',
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
    }
    const { port } = this
    const answer = await send({ ...asked, port, host: addresses(port).dashboardHost, headers })
    const text = await textOf(answer)
    const good = answered.safeParse(jsonOf(text))
    if (good.success) return superjson.deserialize<O>(good.data.result.data)
    throw failureOf(text, { port, status: answer.statusCode ?? 0, isTokenGiven: this.#isTokenGiven })
  }
}

function pathOf(noun: PropertyKey, verb: PropertyKey): string {
  return `/api/trpc/${String(noun)}.${String(verb)}`
}

type Answered = { port: number; status: number; isTokenGiven: boolean }

function failureOf(text: string, { port, status, isTokenGiven }: Answered): Failure {
  const bad = refused.safeParse(jsonOf(text))
  if (!bad.success) return new Failure(`what answers on port ${port} is not Berth's API (status ${status})`)
  const { message, data } = bad.data.error.json
  const { code, args } = data.berth
  if (code === 'unauthenticated')
    return new Failure(isTokenGiven ? BAD_TOKEN : `${message}: \`npm run berth -- login\``, { code })
  const wrong = code === 'invalid' ? invalid.safeParse(args).data : undefined
  return new Failure(message, { code, field: wrong ? { name: wrong.field, limit: wrong.limit } : null })
}

/** It goes before what `login` keeps, which would change nothing. */
const BAD_TOKEN =
  'the token in BERTH_TOKEN is expired, revoked or unknown: unset BERTH_TOKEN, or set it to one of `npm run berth -- token create`'

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not an answer of the API; the schemas refuse null
  }
}
