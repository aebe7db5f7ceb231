// Refuses a data directory on which a database would not be safe. Plain Node.
import { statfsSync } from 'node:fs'
import { StartError } from './places.mjs'

/** Room for the database, its log and a copy of the detached programs. */
const FREE_BYTES_MIN = 100 * 2 ** 20
/** Network file systems by their magic number: their locks and shared memory do not keep SQLite's promises. */
const NETWORK = { 26985: 'NFS', 20859: 'SMB', 4283649346: 'CIFS', 4266872130: 'SMB', 1397113167: 'AFS', 16914839: '9P' }

/** Throws one sentence when the disk is full or not of this machine. */
export function requireUsableDisk(directory, stat = statfsSync(directory)) {
  const network = process.platform === 'linux' ? NETWORK[stat.type] : undefined
  if (network) {
    throw new StartError(
      `the data directory ${directory} is on a network file system (${network}), where a database can be damaged; set BERTH_HOME to a folder on a disk of this machine`,
    )
  }
  const free = stat.bavail * stat.bsize
  if (free < FREE_BYTES_MIN) {
    throw new StartError(
      `the disk of the data directory ${directory} is full: ${Math.floor(free / 2 ** 20)} MiB free, at least ${FREE_BYTES_MIN / 2 ** 20} are needed; make room, or set BERTH_HOME to another disk`,
    )
  }
}
