// `npm run berth -- service install|uninstall`: starts Berth at login, by systemd's user manager or by launchd.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { StartError } from './places.mjs'

const LABEL = 'berth'

/** Writes the unit and starts it. Returns the lines to say. */
export function installService({ root, home, port }, platform = process.platform) {
  const { file, link, text, start } = serviceFor(platform, { root, home, port, node: process.execPath })
  if (platform === 'linux' && isMissing('systemctl')) throw new StartError(NO_SYSTEMD)
  mkdirSync(path.dirname(file), { recursive: true })
  // Its settings may hold the password of a database.
  writeFileSync(file, text, { mode: 0o600 })
  chmodSync(file, 0o600)
  if (link) linkTo(file, link)
  const failed = start.find((command) => !works(command))
  if (failed)
    return [`wrote ${file}`, `nothing answered \`${failed.join(' ')}\`: it does not run yet, and starts at the next login`]
  return [`wrote ${file}`, 'Berth runs now and starts at each login', ...AFTER[platform]]
}

/** Nothing would read the unit: to say that Berth starts at the next login would not be true. */
const NO_SYSTEMD = 'no service was installed: this computer has no systemctl; `npm start` runs Berth until you stop it'

function isMissing(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error?.code === 'ENOENT'
}

/** What `systemctl enable` makes; a user manager that does not run now, as under sudo, cannot make it. */
function linkTo(file, link) {
  mkdirSync(path.dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(file, link)
}

/** Stops the service and removes its unit; what it started beside itself (sessions, notebooks) lives on. */
export function uninstallService(platform = process.platform) {
  const { file, link, stop } = serviceFor(platform, { root: '', home: '', port: 0, node: '' })
  if (!existsSync(file)) return ['no service is installed']
  for (const command of stop) works(command)
  for (const made of [file, link]) if (made) rmSync(made, { force: true })
  return [`removed ${file}`, 'sessions and notebooks live on; `npm run berth -- stop --all` ends them']
}

const AFTER = {
  linux: [
    'what it printed: journalctl --user -u berth; a link for the first account: npm run berth -- setup-link',
    'to run it without a login: loginctl enable-linger',
  ],
  darwin: ['its messages: ~/Library/Logs/berth.log'],
}

function serviceFor(platform, values) {
  if (platform === 'linux') return systemd(values)
  if (platform === 'darwin') return launchd(values)
  throw new StartError(`a service can be installed on Linux and macOS, not on ${platform}`)
}

/** KillMode=process: a stop or restart of the unit ends web and what it ends itself, never a person's sessions. */
function systemd({ root, home, port, node }) {
  const folder = path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'systemd/user')
  const settings = otherSettings()
  const text = `[Unit]
Description=Berth

[Service]
ExecStart=${[node, path.join(root, 'scripts/start.mjs')].map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
WorkingDirectory=${root.replaceAll('%', '%%')}
Environment=${quoted(`BERTH_HOME=${home}`)} BERTH_PORT=${port} ${quoted(`PATH=${searchPath()}`)}${settings.map((pair) => ` ${quoted(pair.join('='))}`).join('')}
KillMode=process
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
`
  const ctl = (...args) => ['systemctl', '--user', ...args]
  return {
    file: path.join(folder, `${LABEL}.service`),
    link: path.join(folder, `default.target.wants/${LABEL}.service`),
    text,
    start: [ctl('daemon-reload'), ctl('enable', '--now', `${LABEL}.service`)],
    stop: [ctl('disable', '--now', `${LABEL}.service`), ctl('daemon-reload')],
  }
}

/** AbandonProcessGroup is launchd's KillMode=process. */
function launchd({ root, home, port, node }) {
  const file = path.join(homedir(), 'Library/LaunchAgents', `${LABEL}.plist`)
  const log = path.join(homedir(), 'Library/Logs/berth.log')
  const string = (text) => `<string>${escaped(text)}</string>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key>${string(LABEL)}
<key>ProgramArguments</key><array>${string(node)}${string(path.join(root, 'scripts/start.mjs'))}</array>
<key>WorkingDirectory</key>${string(root)}
<key>EnvironmentVariables</key><dict><key>BERTH_HOME</key>${string(home)}<key>BERTH_PORT</key>${string(String(port))}<key>PATH</key>${string(searchPath())}${otherSettings()
    .map(([name, value]) => `<key>${name}</key>${string(value)}`)
    .join('')}</dict>
<key>RunAtLoad</key><true/>
<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
<key>AbandonProcessGroup</key><true/>
<key>StandardOutPath</key>${string(log)}
<key>StandardErrorPath</key>${string(log)}
</dict></plist>
`
  return { file, text, start: [['launchctl', 'load', '-w', file]], stop: [['launchctl', 'unload', '-w', file]] }
}

/** What this command was given beside home and port counts at each login too; a token is the command line's own. */
function otherSettings(environment = process.env) {
  const left = ['BERTH_HOME', 'BERTH_PORT', 'BERTH_ROOT', 'BERTH_TOKEN']
  return Object.entries(environment).filter(([name]) => name.startsWith('BERTH_') && !left.includes(name))
}

/** Without the folders that npm puts before it for the length of one command. */
function searchPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.filter((folder) => !folder.split(path.sep).includes('node_modules')).join(path.delimiter)
}

/** One word of a unit file: quotes and backslashes escaped, percent signs doubled. Only commands expand variables too. */
function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function works([command, ...args]) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}
