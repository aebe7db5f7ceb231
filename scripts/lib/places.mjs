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
    makeFolders(directory)
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

/** Node's own recursive one goes round for ever where a parent that is there says ENOENT, as /proc does. */
function makeFolders(directory) {
  const missing = []
  for (let folder = directory; !existsSync(folder); folder = path.dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if (error.code !== 'EEXIST' || !existsSync(folder)) throw error
    }
  }
}

function isBerthData(directory) {
  return ['berth.db', 'keys', 'lock', 'logs/web.log'].some((name) => existsSync(path.join(directory, name)))
}

const SOCKETS_BYTES_MAX = 45

/** A short folder for sockets (their paths must stay under 100 bytes), 0700, one for each data directory. */
export function runtimeDirectory(directory, environment = process.env, uid = process.getuid?.() ?? 0) {
  if (environment.BERTH_RUNTIME_DIR) return givenRuntimeDirectory(environment.BERTH_RUNTIME_DIR)
  const xdg = environment.XDG_RUNTIME_DIR
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 8)
  const candidates = [
    xdg && isOf(uid, xdg) && path.join(xdg, 'berth', short),
    path.join('/tmp', `berth-${uid}`, short),
    path.join(tmpdir(), `berth-${uid}`, short),
  ]
  const chosen = candidates.find((c) => c && Buffer.byteLength(c) <= SOCKETS_BYTES_MAX)
  if (!chosen)
    throw new StartError(`no short enough folder for sockets; set BERTH_RUNTIME_DIR to one of at most ${SOCKETS_BYTES_MAX} bytes`)
  return chosen
}

/** `su` keeps the variable of the one who called it. */
function isOf(uid, folder) {
  return existsSync(folder) && statSync(folder).uid === uid
}

function givenRuntimeDirectory(given) {
  if (path.isAbsolute(given) && Buffer.byteLength(given) <= SOCKETS_BYTES_MAX) return path.normalize(given)
  throw new StartError(`BERTH_RUNTIME_DIR: an absolute path of at most ${SOCKETS_BYTES_MAX} bytes, not ${given}`)
}

/** Makes the folder of sockets and what is missing above it; refuses one that another user prepared. */
export function prepareRuntimeDirectory(directory, uid = process.getuid?.()) {
  try {
    makeFolders(directory)
  } catch (cause) {
    throw new StartError(
      `the folder of sockets ${directory} cannot be made (${cause.code}); set BERTH_RUNTIME_DIR to a short one that you own`,
    )
  }
  const stat = lstatSync(directory)
  if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid) || mayBeReplaced(directory, uid)) {
    throw new StartError(`${directory} is not a folder of yours alone; remove it or set BERTH_RUNTIME_DIR to another`)
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(directory, 0o700)
}

/** Whoever owns the folder above, or may write to it without the sticky bit, can put another folder in this one's place. */
function mayBeReplaced(directory, uid) {
  const parent = path.dirname(directory)
  const isRoots = lstatSync(parent).uid === 0
  const stat = isRoots ? statSync(parent) : lstatSync(parent)
  const isOthers = uid !== undefined && stat.uid !== uid && !isRoots
  return !stat.isDirectory() || isOthers || ((stat.mode & 0o022) !== 0 && (stat.mode & 0o1000) === 0)
}
