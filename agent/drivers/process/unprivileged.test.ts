import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessMachine } from '../../testing/process-machine'
import { readHost } from './host-control'
import { createProcessDriver } from './process-driver'

// An ordinary user of the machine: most agents are no root.
const USER = 34_567
let machine: ProcessMachine
beforeAll(async () => {
  machine = await ProcessMachine.make()
})
afterAll(() => machine.clean(createProcessDriver(machine.deps)))

describe.runIf(process.getuid?.() === 0)('an agent that is no root', () => {
  it('runs a sandbox with its own rights, and ends all of it', async () => {
    const shown = mkdtempSync(join(tmpdir(), 'shown-'))
    chownSync(shown, USER, USER)
    const spec = machine.spec({ mounts: [{ path: shown, mode: 'rw' }], mountRoots: [shown] })
    const agent = await machine.agentProcess(spec, USER)
    const host = readHost(join(machine.deps.dataDir, 'instances', spec.placementId), machine.deps.bootId)
    const status = readFileSync(`/proc/${host?.file.childPid}/status`, 'utf8')
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(String(USER))
    const client = machine.attach(spec)
    await client.attach(0).until({ message: 'attached' })
    client.send({ type: 'bind', controllerGen: 1 })
    await client.until({ message: 'bound' })
    const probe = `id -u; ls ${machine.deps.dataDir} 2>&1 | tail -1; touch /usr/x 2>&1 | tail -1; unshare -Ur true 2>&1 | tail -1; ls /proc | grep -c '^[0-9]'`
    const [uid, data, system, namespaces, processes] = (await machine.sh(client, probe)).split('\n')
    expect(uid).toBe('1000')
    expect(data).toContain('No such file')
    expect(system).toContain('Read-only')
    expect(namespaces).toContain('unshare failed')
    expect(Number(processes)).toBeLessThan(10)
    expect(await machine.sh(client, `echo mine > ${basename(shown)}/file && cat ${basename(shown)}/file`)).toBe('mine')
    client.close()
    agent.kill('SIGTERM')
    await once(agent, 'exit')
    expect(readHost(join(machine.deps.dataDir, 'instances', spec.placementId), machine.deps.bootId)?.isAlive ?? false).toBe(false)
    expect(await machine.hasWorkspace(spec.workloadId)).toBe(false)
    // The folder of the user outlives what was shown it.
    expect(readFileSync(join(shown, 'file'), 'utf8')).toBe('mine\n')
    expect(statSync(join(shown, 'file')).uid).toBe(USER)
    rmSync(shown, { recursive: true })
  })
})
