import { toHost } from '@/protocol/host'
import { hostLaunch } from './host-launch'
import { raiseLoopback } from './namespace'
import { Screen } from './screen'

/**
 * Does once what a start and its first viewer will do, while nobody waits: the code of the emulator and of the message
 * checks is compiled at its first run. For a host that waits for its launch in namespaces of its own.
 */
export async function warmUp(): Promise<void> {
  raiseLoopback()
  hostLaunch.safeParse({})
  toHost.safeParse({})
  const screen = new Screen({ cols: 80, rows: 24 }, { startSeq: 0, recent: () => Buffer.alloc(0) })
  const bytes = Buffer.from('\x1b[1mberth\x1b[0m:~$ \r\n')
  await new Promise<void>((resolve) => screen.write(bytes, bytes.byteLength, resolve))
  await screen.snapshot()
  screen.dispose()
}
