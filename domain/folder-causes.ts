/** Kernel interfaces, devices and sockets of a machine: neither shown nor allowed. */
export const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev', '/run'] as const

/** A folder that was not shown inside; `uid`: of the user that the workload runs as, null for the account that runs Berth. */
type Refused = { folder: string; uid?: number }

/** Why a folder of a machine is not shown inside, each in words of its own. */
export const FOLDER_CAUSES = {
  missing: ({ folder }: Refused) => `${folder} is not there`,
  not_a_folder: ({ folder }: Refused) => `${folder} is not a folder`,
  of_berth: ({ folder }: Refused) => `${folder} is, holds or lies in the data directory of Berth`,
  of_the_system: ({ folder }: Refused) => `${folder} belongs to the system`,
  not_allowed: ({ folder }: Refused) =>
    `${folder}, or what it leads to, is not below a folder that the machine allows any more; its owner can allow it on its page`,
  not_readable: (a: Refused) => `${who(a)} may not read ${a.folder}; the log has the command that helps`,
  not_writable: (a: Refused) => `${who(a)} may not write in ${a.folder}; the log has the command that helps`,
  name_taken: ({ folder }: Refused) => `the workspace has something of the name of ${folder}; move that away`,
  exchanged: ({ folder }: Refused) => `${folder} was exchanged while it was being shown; start it again`,
} as const

export type FolderCause = keyof typeof FOLDER_CAUSES
/** The names of the rows, for schemas and loops. */
export const FOLDER_CAUSE_NAMES = Object.keys(FOLDER_CAUSES) as [FolderCause, ...FolderCause[]]

function who({ uid }: Refused): string {
  return uid === undefined ? 'the account that runs Berth' : `user ${uid}, as whom this workload runs,`
}
