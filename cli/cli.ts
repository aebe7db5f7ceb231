import type { Api } from './api'

/** What every command has: which Berth it talks to, and as whom. */
export type Cli = {
  port: number
  api: Api
  /** Where `login` keeps its token. */
  configFile: string
  /** The token comes from BERTH_TOKEN; `login` would change nothing. */
  isTokenGiven: boolean
}

/** Options that commands share. */
export type Shown = { json?: boolean }
