import type { TerminalMode } from '@/protocol/terminal'
import type { TerminalSocket } from './terminal-socket'

export type TerminalOptions = {
  /** `ws://io.<dashboard host>/terminal` */
  url: string
  /** A fresh ticket for each connect. Null: not allowed or not running any more, stop. A rejection: try again later. */
  getTicket: () => Promise<string | null>
  /** `control`: type if nobody else does. `view`: only watch until `claim()`. */
  mode: TerminalMode
  cols: number
  rows: number
  openSocket?: (url: string) => TerminalSocket
}
