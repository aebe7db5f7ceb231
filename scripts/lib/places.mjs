// Where Berth keeps its data and its sockets. Plain Node: used before any package is installed.
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'

/** A failure that a person can mend: one sentence, no stack. */
export class StartError extends Error {}

/** The data directory: BERTH_HOME, else the operating system's convention. */
export function dataDirectory(environment = process.env, platform = process.platform) {
  if (environment.BERTH_HOME) {
    if (!path.isAbsolute(environment.BERTH_HOME))
      throw new StartError(`BERTH_HOME: an absolute path, not ${environment.BERTH_HOME}`)
    return path.normalize(environment.BERTH_HOME)
  }
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'Berth')
  return path.join(environment.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'berth')
}

/** Makes the data directory (0700) or refuses one that is not ours, not writable, or holds something else. */
export function prepareDataDirectory(directory, uid = process.getuid?.()) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError(
      `the data directory ${directory} cannot be made (${cause.code}); set BERTH_HOME to a folder that you own`,
    )
  }
  const stat = statSync(directory)
  if (!stat.isDirectory()) throw new StartError(`the data directory ${directory} is not a folder; set BERTH_HOME to one`)
  if (uid !== undefined && stat.uid !== uid) {
    throw new StartError(
      `the data directory ${directory} belongs to another user (uid ${stat.uid}); set BERTH_HOME to a folder that you own`,
    )
  }
  if (readdirSync(directory).length > 0 && !isBerthData(directory)) {
    throw new StartError(`the data directory ${directory} holds files that are not Berth's; set BERTH_HOME to an empty folder`)
  }
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((stat.mode & 0o777) !== 0o700) chmodSync(directory, 0o700)
  } catch {
    throw new StartError(
      `the data directory ${directory} is not writable; mend its permissions or set BERTH_HOME to another folder`,
    )
  }
}

function isBerthData(directory) {
  return ['berth.db', 'keys', 'lock'].some((name) => existsSync(path.join(directory, name)))
}

/** A short folder for sockets (their paths must stay under 100 bytes), 0700, one for each data directory. */
export function runtimeDirectory(directory, environment = process.env, uid = process.getuid?.() ?? 0) {
  if (environment.BERTH_RUNTIME_DIR) return environment.BERTH_RUNTIME_DIR
  const xdg = environment.XDG_RUNTIME_DIR
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 8)
  const candidates = [
    xdg && path.join(xdg, 'berth', short),
    path.join('/tmp', `berth-${uid}`, short),
    path.join(tmpdir(), `berth-${uid}`, short),
  ]
  const chosen = candidates.find((c) => c && Buffer.byteLength(c) <= 45)
  if (!chosen) throw new StartError('no short enough folder for sockets; set BERTH_RUNTIME_DIR to one of at most 45 bytes')
  return chosen
}

/** Makes the folder of sockets; refuses one that another user prepared. */
export function prepareRuntimeDirectory(directory, uid = process.getuid?.()) {
  const parent = path.dirname(directory)
  for (const folder of [parent, directory]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) {
      throw new StartError(`${folder} is not a folder of yours; remove it or set BERTH_RUNTIME_DIR to another`)
    }
    if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  }
}
