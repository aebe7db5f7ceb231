type Listener = () => void

const listeners = new Set<Listener>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = 0

/** The time of the last tick, one for all that show time, so that they never disagree. */
export function tickMs(): number {
  if (nowMs === 0 || timer === undefined) nowMs = Date.now()
  return nowMs
}

/** Calls back every second while anybody listens; nothing runs when nobody does. */
export function onTick(listener: Listener): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}
