import { readdirSync, readlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startChild } from './child'

/** Terminals that this process holds. */
function terminalsHeld(): number {
  const target = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return '' // It was the descriptor of the listing itself.
    }
  }
  return readdirSync('/proc/self/fd').filter((fd) => target(fd).endsWith('ptmx')).length
}

it('stays when its program has closed its terminal, and somebody looks at it in another size', async () => {
  const before = terminalsHeld()
  let exit: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => {
    exit = resolve
  })
  const command = ['/bin/sh', '-c', 'trap "" HUP; exec <&- >&- 2>&-; exec sleep 1000']
  const launch = { kind: 'terminal' as const, command, environment: { PATH: '/usr/bin:/bin' }, cwd: '/', cols: 80, rows: 24 }
  const child = startChild({ ...launch, ptyOwner: null }, { data: () => undefined, exit })
  await expect.poll(terminalsHeld).toBe(before)
  child.resize(100, 30)
  child.write(Buffer.from('nobody reads this\n'))
  process.kill(child.pid, 'SIGKILL')
  expect(await ended).toBe(128 + 9)
})
