import { readFileSync } from 'node:fs'
import { createLog } from '@/kit/log'
import { runBuild } from './build'
import { buildLaunch } from './build-launch'
import { hostLaunch } from './host-launch'
import { closeInherited } from './inherited'
import { runSessionHost } from './session-host'
import { warmUp } from './warm-up'

// `run <launch.json>`: one terminal or service, detached. `wait`: the same, once its standard input names the file; it
// ends when that closes without one. `build <build.json>`: one environment, as long as its agent lives.
const [mode, named = ''] = process.argv.slice(2)
process.umask(0o077)
closeInherited()
if (mode === 'wait') await warmUp()
const launchFile = mode === 'wait' ? readFileSync(0, 'utf8') : named
if (launchFile === '') process.exit(0)
const text: unknown = JSON.parse(readFileSync(launchFile, 'utf8'))

if (mode === 'build') await runBuild(buildLaunch.parse(text))
else {
  const launch = hostLaunch.parse(text)
  const log = createLog('session-host').child({ placementId: launch.placementId })
  const hosting = runSessionHost(launch, log)
  let isEnding = false
  // Also while it is being started: what was begun is ended in order.
  const end = () => {
    if (isEnding) return
    isEnding = true
    void hosting.then((host) => host.end()).finally(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // A closed terminal of whoever started the machine's agent is no reason to end.
  process.on('SIGHUP', () => undefined)
  await hosting
}
