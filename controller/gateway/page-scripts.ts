/**
 * Takes the ticket out of the address bar before anything else, hands it over by a same-origin POST, and moves on. The
 * ticket is in no URL that a server sees: a fragment stays in the browser.
 */
export const ENTER_SCRIPT = `(async () => {
  const ticket = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  const say = (text) => { document.getElementById('text').textContent = text }
  try {
    const answer = await fetch('/.berth/enter', { method: 'POST', credentials: 'same-origin', redirect: 'error',
      headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ticket }) })
    if (answer.ok) location.replace((await answer.json()).to)
    else say(await answer.text())
  } catch { say('Berth cannot be reached now; try again.') }
})()`

/**
 * Asks whether the workload may be opened, and opens it then: often at first, since most starts take seconds; a lost
 * connection is asked again.
 */
export const WAIT_SCRIPT = `(() => {
  const begin = Date.now()
  const look = async () => {
    let wait = Date.now() - begin < 15_000 ? 150 : 1000
    try {
      const answer = await fetch('/.berth/state', { credentials: 'same-origin', cache: 'no-store' })
      if (answer.status === 410) return location.reload()
      const state = await answer.json()
      if (state.isOpen) return location.reload()
      document.title = document.querySelector('h1').textContent = state.title
      document.getElementById('text').textContent = state.text
    } catch { wait = 3000 }
    setTimeout(look, wait)
  }
  setTimeout(look, 150)
})()`
