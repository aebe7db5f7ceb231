/** A line of the timeline, column by column. */
export type EventRow = Record<string, unknown> & { id: string }
/** The events of a database before a moment, for the one who may take them out: the timeline is append-only for everybody else. */
export type OldEvents = {
  /** The oldest ones, at most so many. */
  read(limit: number): Promise<EventRow[]>
  /** Takes exactly these out, with the append-only guard off and on again in one transaction. */
  drop(ids: readonly string[]): Promise<void>
  close(): Promise<void>
}
