type Deps = {
  /** Does Berth answer now? */
  answers: () => Promise<boolean>
  /** Resolves when it is worth asking again. */
  pause: () => Promise<void>
}

/**
 * The way to a page while Berth does not answer: kept until it does, for a browser that is sent there now shows a page of
 * its own and the tab is lost. The last one counts.
 */
export class KeptWay {
  private readonly deps: Deps
  private readonly listeners = new Set<() => void>()
  private wanted: object | null = null
  private isWaiting = false

  constructor(deps: Deps) {
    this.deps = deps
  }

  /** Is a way kept, so that a person should be told? */
  get = (): boolean => this.isWaiting

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Goes once Berth answers, unless another way is taken or the person stays. */
  async follow(go: () => void): Promise<void> {
    const mine = {}
    this.wanted = mine
    while (!(await this.deps.answers())) {
      if (this.wanted !== mine) return
      this.tell(true)
      await this.deps.pause()
    }
    if (this.wanted !== mine) return
    this.stay()
    go()
  }

  /** Forgets the way. */
  stay = (): void => {
    this.wanted = null
    this.tell(false)
  }

  private tell(isWaiting: boolean): void {
    this.isWaiting = isWaiting
    for (const listener of this.listeners) listener()
  }
}

type Link = { href: string; target: string; hasDownload: boolean }
type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

/** The page of ours that a click leads to in this tab; null for a new tab, a download, another origin, a place in this page. Pure. */
export function pageOf({ href, target, hasDownload }: Link, click: Click, here: string): string | null {
  const isPlain = click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey
  if (!isPlain || hasDownload || (target !== '' && target !== '_self')) return null
  const [to, at] = [new URL(href, here), new URL(here)]
  if (to.origin !== at.origin || to.pathname.startsWith('/api/')) return null
  const path = to.pathname + to.search
  return to.hash !== '' && path === at.pathname + at.search ? null : path + to.hash
}
