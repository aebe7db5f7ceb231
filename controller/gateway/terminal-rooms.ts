/** The rooms of this gateway, one per session that somebody looks at. */
export class TerminalRooms<Room extends { readonly isEmpty: boolean }> {
  readonly #make: () => Room
  readonly #rooms = new Map<string, Room>()

  constructor(make: () => Room) {
    this.#make = make
  }

  /** The room of a session, made for its first window. A window must enter it in the same turn of the event loop. */
  of(workloadId: string): Room {
    const room = this.#rooms.get(workloadId) ?? this.#make()
    this.#rooms.set(workloadId, room)
    return room
  }

  /** Forgets a room that is empty. One that was forgotten before is not mistaken for its successor. */
  tidy(workloadId: string, room: Room): void {
    if (room.isEmpty && this.#rooms.get(workloadId) === room) this.#rooms.delete(workloadId)
  }

  all(): Room[] {
    return [...this.#rooms.values()]
  }
}
