import type { WorkloadView } from '@/domain/views'
import type { Measure } from '../lib/bench'
import type { Person } from '../lib/person'
import { median, percentile } from '../lib/statistics'
import { BerthTerminal } from '../lib/terminals'

const SESSIONS = 20
const ATTACHES = 40
const PROMPT = /[#$] $/

/** From the click on Create to the prompt; how soon the controller acts on the click; coming back to a running session. */
export const sessions: Measure = async ({ person, say }) => {
  const news = new News()
  const unfollow = await person.follow((view) => news.tell(view))
  const prompts: number[] = []
  const acts: number[] = []
  for (let i = 0; i < SESSIONS; i++) {
    const begin = performance.now()
    const { id } = await person.create('session', 'shell')
    await news.of(id, 'running')
    const terminal = await BerthTerminal.attach(person, id)
    await terminal.sees(PROMPT)
    prompts.push(performance.now() - begin)
    terminal.close()
    acts.push(await actAfter(person, id))
    await person.remove(id)
  }
  unfollow()
  say(`prompts: ${prompts.map((ms) => ms.toFixed(0)).join(' ')}`)
  return [
    { name: 'session_create_prompt_p95', value: percentile(prompts, 95), unit: 'ms', goal: '<=500' },
    { name: 'session_create_prompt_p50', value: median(prompts), unit: 'ms', goal: '-' },
    { name: 'click_act_p95', value: percentile(acts, 95), unit: 'ms', goal: '<=100' },
    ...(await attaches(person)),
  ]
}

async function attaches(person: Person) {
  const { id } = await person.create('session', 'shell')
  await person.until(id, ['running'])
  const first = await BerthTerminal.attach(person, id)
  await first.sees(PROMPT)
  first.forget()
  first.type('ls -la /usr/bin | head -200; echo all-$((1+1))\r')
  await first.sees('all-2')
  first.close()
  const times: number[] = []
  for (let i = 0; i < ATTACHES; i++) {
    const begin = performance.now()
    const terminal = await BerthTerminal.attach(person, id)
    times.push(terminal.firstScreenAt - begin)
    terminal.close()
  }
  await person.remove(id)
  return [
    { name: 'attach_first_screen_p95', value: percentile(times, 95), unit: 'ms', goal: '<=60' },
    { name: 'attach_first_screen_p50', value: median(times), unit: 'ms', goal: '-' },
  ]
}

/** Milliseconds between the row of the click and the row of the controller's first act on it. */
async function actAfter(person: Person, id: string): Promise<number> {
  type Event = { seq: number; at: string }
  const answer = await person.ask<Event[] | { events: Event[] }>('workloads.events', { id })
  const events = (Array.isArray(answer) ? answer : answer.events).toSorted((a, b) => a.seq - b.seq)
  const [created, acted] = events
  if (!created || !acted) throw new Error('two events were expected')
  return Date.parse(acted.at) - Date.parse(created.at)
}

/** What the dashboard's live subscription said of each workload. */
class News {
  readonly #states = new Map<string, string>()
  #wake: () => void = () => undefined

  tell(view: WorkloadView): void {
    this.#states.set(view.id, view.state)
    this.#wake()
  }

  of(id: string, state: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the session was not ${state}: ${this.#states.get(id)}`)), 20_000)
      this.#wake = () => {
        if (this.#states.get(id) !== state) return
        clearTimeout(timer)
        resolve()
      }
      this.#wake()
    })
  }
}
