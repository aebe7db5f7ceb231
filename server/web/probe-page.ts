import { plainPage } from '@/domain/plain-page'
import { addresses } from '@/domain/settings'
import { FIXED_HEADERS, NO_STORE, newNonce } from './security-headers'

/** Answered on the dashboard's own host, so that the page below can tell whether a browser finds it. */
export const PROBE_PATH = '/.berth/here'

/** An empty answer that any page may see: it says that Berth is here and nothing else. */
export function probeAnswer(): Response {
  return new Response(null, {
    status: 204,
    headers: { ...FIXED_HEADERS, 'cross-origin-resource-policy': 'cross-origin', 'cache-control': NO_STORE },
  })
}

/**
 * The page of `http://localhost:<port>`: asks by script whether the dashboard's own host opens, goes there with the same
 * path and fragment, or says what helps. Berth serves nothing else here, because cookies of `localhost` are shared by
 * every port of the machine.
 */
export function probePage(port: number): Response {
  const nonce = newNonce()
  const { dashboardOrigin } = addresses(port)
  return new Response(html(nonce, dashboardOrigin), {
    headers: {
      ...FIXED_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': NO_STORE,
      'content-security-policy': [
        `default-src 'none'`,
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        `connect-src ${dashboardOrigin}`,
        `base-uri 'none'`,
        `form-action 'none'`,
        `frame-ancestors 'none'`,
      ].join('; '),
    },
  })
}

/** Runs in the browser. The fragment may hold a set-up secret: it is handed on and sent to no server. */
const SCRIPT = `
const target = ORIGIN + location.pathname + location.search + location.hash
const stop = AbortSignal.timeout(8000)
const show = () => {
  document.getElementById('looking').hidden = true
  document.getElementById('help').hidden = false
}
const look = () => fetch(ORIGIN + PATH, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: stop })
  .then(() => location.replace(target), show)
document.getElementById('again').addEventListener('click', () => location.reload())
look()
`

function html(nonce: string, origin: string): string {
  const main = `<div id="looking"><h1>Opening Berth</h1><p role="status">Looking for ${origin} …</p></div>
<div id="help" hidden>
<h1>This browser does not find ${origin}</h1>
<p>Chrome, Edge and Firefox find it by themselves. For another browser, add this line to <code>/etc/hosts</code> on the computer that you sit at:</p>
<pre>127.0.0.1 berth.localhost io.berth.localhost</pre>
<p>Notebooks have a host name each, which such a line cannot cover: open them in one of the browsers above.
Over ssh, forward this port and the next one.</p>
<p><button id="again" type="button">Look again</button></p>
</div>
<noscript><p>Open ${origin} in this browser. Berth needs JavaScript.</p></noscript>`
  const constants = `const ORIGIN = ${JSON.stringify(origin)}, PATH = ${JSON.stringify(PROBE_PATH)}`
  return plainPage({ title: 'Berth', main, nonce, script: `${constants}\n${SCRIPT}` })
}
