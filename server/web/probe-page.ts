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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { max-width: 34rem; padding: 2rem }
h1 { font-size: 1.25rem; font-weight: 600 }
pre { padding: .75rem 1rem; border: 1px solid; border-radius: .5rem; overflow-x: auto }
[hidden] { display: none }
`

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Berth</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<section id="looking"><h1>Opening Berth</h1><p role="status">Looking for ${origin} …</p></section>
<section id="help" hidden>
<h1>This browser does not find ${origin}</h1>
<p>Chrome, Edge and Firefox find it by themselves. For another browser, add this line to <code>/etc/hosts</code> on the computer that you sit at:</p>
<pre>127.0.0.1 berth.localhost io.berth.localhost</pre>
<p>Notebooks have a host name each, which such a line cannot cover: open them in one of the browsers above.
Over ssh, forward this port and the next one.</p>
<p><button id="again" type="button">Look again</button></p>
</section>
<noscript><p>Open ${origin} in this browser. Berth needs JavaScript.</p></noscript>
</main>
<script nonce="${nonce}">
const ORIGIN = ${JSON.stringify(origin)}, PATH = ${JSON.stringify(PROBE_PATH)}
${SCRIPT}</script>
</body>
</html>
`
}
