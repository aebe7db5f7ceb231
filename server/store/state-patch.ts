/** Columns that may change together with a state. */
export type StatePatch = {
  placementId?: string | null
  workloadGen?: number
  workspaceMachineId?: string | null
  attempts?: number
  nextTryAt?: Date | null
  exitCode?: number | null
  lastBusyAt?: Date | null
  stopAt?: Date | null
  stopWhy?: string | null
}
