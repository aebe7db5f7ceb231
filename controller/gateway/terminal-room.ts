import { because } from '@/domain/reasons'
import type { Clock } from '@/kit/clock'
import type { ClientMessage } from '@/protocol/terminal'
import { controlOf, giveControl, keepControl, takeControl } from '@/server/auth/control'
import type { Db } from '@/server/store/db'
import { refusedAfter } from '@/server/store/system/refusals'
import type { Attachment } from './attachment'

type Hello = Extract<ClientMessage, { type: 'hello' }>

/**
 * Every window of one session at this gateway, and who of them types. A claim goes: store, session-host, the other
 * windows, store again, answer; no window is ever told a mode that was not read back.
 */
export class TerminalRoom {
  readonly #deps: { db: Db; clock: Clock }
  readonly #windows = new Set<Attachment>()
  #controllerGen = 0
  /** The event of the timeline up to which refusals were told. */
  #toldTo: number | null = null

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  get isEmpty(): boolean {
    return this.#windows.size === 0
  }

  /** Lets a window in: as the one who types if it may, asks to and nobody does; otherwise as a viewer. */
  async enter(window: Attachment, hello: Hello): Promise<void> {
    this.#windows.add(window)
    window.onDisplaced = (controllerGen) => this.#displaced(window, controllerGen)
    if (this.#toldTo === null) await this.tellRefused() // from here on
    const asks = hello.mode === 'control' && window.parts.mayControl
    const before = this.#controllerGen
    if (asks) await this.#take(window, hello.expected ?? null)
    else this.#learn((await this.#read(window)).controllerGen)
    window.welcome(this.#controllerGen)
    if (this.#controllerGen !== before) this.#announce(window)
    this.#tellPresence()
  }

  /** A window asks to type. Losing is an answer, never an error. */
  async claim(window: Attachment, expected: number): Promise<void> {
    const before = this.#controllerGen
    const hasIt = window.hold !== null || (window.parts.mayControl && (await this.#take(window, expected)))
    if (this.#controllerGen !== before) this.#announce(window)
    if (hasIt) window.tell({ type: 'control_changed', mode: window.mode, controllerGen: this.#controllerGen })
    else window.tell({ type: 'stale', controllerGen: this.#controllerGen })
    this.#tellPresence()
  }

  /** A window stops typing and goes on watching. */
  async release(window: Attachment): Promise<void> {
    const { hold } = window
    if (!hold) return
    window.standDown()
    await giveControl(this.#deps.db, hold)
    this.#announce(null)
    this.#tellPresence()
  }

  /** A window is gone. Broken off, it keeps its lease until that runs out, so that a blip does not give control away. */
  async leave(window: Attachment, isOnPurpose: boolean): Promise<void> {
    this.#windows.delete(window)
    const { hold } = window
    window.hold = null
    this.#tellPresence()
    if (hold && isOnPurpose) await giveControl(this.#deps.db, hold)
  }

  /** Prolongs the lease of who types here; a window that lost it elsewhere learns it this way. */
  async renew(): Promise<void> {
    for (const window of [...this.#windows]) {
      const { hold } = window
      if (!hold || (await keepControl(this.#deps.db, hold, this.#deps.clock.now()))) continue
      if (window.hold !== hold) continue // took it again while the store was asked
      window.standDown()
      this.#learn((await this.#read(window)).controllerGen)
      this.#announce(null)
      this.#tellPresence()
    }
  }

  /** Tells every window what the session was refused since the room is here; each host once a start, as the timeline does. */
  async tellRefused(): Promise<void> {
    const [window] = this.#windows
    if (!window) return
    const after = this.#toldTo
    const { hosts, last } = await refusedAfter(this.#deps.db, window.parts.instance.workloadId, after)
    if (this.#toldTo !== after) return // told by an earlier look that took longer
    this.#toldTo = last
    for (const host of hosts)
      for (const one of this.#windows) one.tell({ type: 'notice', reason: because('egress_denied', { host }) })
  }

  async #take(window: Attachment, expected: number | null): Promise<boolean> {
    const { tenantId, instance, person } = window.parts
    const { db, clock } = this.#deps
    const { workloadId } = instance
    const claim = { tenantId, workloadId, userId: person.id, holder: window.id, expected, above: window.hostGen, at: clock.now() }
    const { hold, controllerGen } = await takeControl(db, claim)
    this.#learn(controllerGen)
    if (!hold) return false
    if (!(await window.bind(controllerGen))) {
      await giveControl(db, hold)
      return false
    }
    window.takeOver(hold)
    for (const other of this.#windows) if (other.hold && other.hold.controllerGen < controllerGen) other.standDown()
    const now = await this.#read(window)
    this.#learn(now.controllerGen)
    if (now.controllerGen === controllerGen && now.holder === window.id) return true
    if (window.hold === hold) window.standDown()
    return false
  }

  /** The session-host takes input of a later generation only: whoever typed here is a viewer now. */
  #displaced(window: Attachment, controllerGen: number): void {
    window.standDown()
    this.#learn(controllerGen)
    window.tell({ type: 'control_changed', mode: window.mode, controllerGen: this.#controllerGen })
    this.#tellPresence()
  }

  /** Answers overtake each other; generations only rise. */
  #learn(controllerGen: number): void {
    this.#controllerGen = Math.max(this.#controllerGen, controllerGen)
  }

  #read(window: Attachment) {
    return controlOf(this.#deps.db, window.parts.instance.workloadId, this.#deps.clock.now())
  }

  /** Tells every window but one its mode and the generation, so that the next claim of any of them is not stale. */
  #announce(except: Attachment | null): void {
    for (const window of this.#windows) {
      if (window !== except) window.tell({ type: 'control_changed', mode: window.mode, controllerGen: this.#controllerGen })
    }
  }

  #tellPresence(): void {
    const controller = [...this.#windows].find((window) => window.hold !== null)?.parts.person.name ?? null
    for (const window of this.#windows) {
      const viewers = [...this.#windows].filter((other) => other !== window && other.hold === null).length
      window.tell({ type: 'presence', viewers, controller })
    }
  }
}
