import { AppError } from '@/domain/errors'
import { type Db, placeOf } from '@/server/store/db'
import { isReserveSpent, keepReserve } from '@/server/store/reserve'

/** Was the database's disk full, and is there still no room? Only what ends or revokes something goes on then, from the reserve. */
export async function isStorageFull(db: Db): Promise<boolean> {
  const place = placeOf(db)
  return isReserveSpent(place) && !(await keepReserve(place))
}

/** Errors: storage_full. */
export async function requireRoom(db: Db): Promise<void> {
  if (await isStorageFull(db)) throw new AppError('storage_full', {})
}
