import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isWithin } from '@/domain/paths'

const TABLE = '/proc/self/mountinfo'

/** Mount points at or below a folder, as this process sees them. None where the system has no such table. */
export function mountedBelow(folder: string): string[] {
  if (!existsSync(TABLE) || !existsSync(folder)) return []
  const real = realpathSync(folder)
  return mountPoints(readFileSync(TABLE, 'utf8')).filter((point) => isWithin(point, real))
}

/** Pure: the fifth field of each row; blanks in a name are written as octal numbers. */
export function mountPoints(table: string): string[] {
  return table.split('\n').flatMap((row) => {
    const point = row.split(' ')[4]
    return point === undefined
      ? []
      : [point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))]
  })
}
