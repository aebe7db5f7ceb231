import { expect, it } from 'vitest'
import { TerminalRooms } from './terminal-rooms'

it('two windows that leave a session together do not take the room of the next window away', () => {
  const rooms = new TerminalRooms(() => ({ isEmpty: true }))
  const first = rooms.of('session')
  rooms.tidy('session', first) // one window is gone, and the room with it
  const next = rooms.of('session')
  rooms.tidy('session', first) // the other one had its lease to give back first
  expect(rooms.of('session')).toBe(next)
})
