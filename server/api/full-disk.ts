/**
 * What still works while the database's disk is full: what ends, parks or deletes something, what takes access away, and what
 * leads into a workload, where its owner can make room. Every other mutation is refused with `storage_full`.
 */
export const WITHOUT_ROOM: ReadonlySet<string> = new Set([
  'workloads.park',
  'workloads.pause',
  'workloads.delete',
  'workloads.open',
  'workloads.ticket',
  'machines.stopOrphan',
  'machines.gone',
  'shares.remove',
  'signIns.revoke',
  'signIns.revokeOthers',
  'tokens.revoke',
  'tokens.end',
  'me.changePassword',
])
