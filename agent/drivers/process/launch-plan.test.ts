import { describe, expect, it } from 'vitest'
import { hostLaunch } from '../../host/host-launch'
import { sampleSpec } from '../../testing/sample-spec'
import { type SandboxParts, sandboxedLaunch } from './launch-plan'
import { plainLaunch } from './plain-launch'

const placementId = '01920000-0000-7000-8000-00000000000a'
const parts = (over: Partial<SandboxParts> = {}): SandboxParts => ({
  spec: sampleSpec({ driver: 'process-sandboxed', placementId }),
  bootId: 'boot',
  runtimeDir: '/run/user/1000/berth',
  instanceDir: `/root/data/instances/${placementId}`,
  workspace: '/root/data/workspaces/w',
  isRoot: true,
  wrapping: {
    identity: { uid: 20_003, gid: 20_003 },
    cgroups: ['/cg/memory/x'],
    seccompFile: '/s',
    statusFile: '/t',
    processesMax: null,
  },
  system: { binds: ['/usr', '/etc/ssl/certs'], links: [['usr/bin', '/bin']] },
  settings: { PIP_INDEX_URL: 'https://index.example/simple' },
  binds: [{ source: '/root/ca.pem', target: '/etc/berth-certificates.pem', mode: 'read' }],
  mounts: [],
  python: null,
  egressSocket: '/run/user/1000/berth/e/x.sock',
  shell: '/bin/bash',
  ...over,
})
const pairs = (command: readonly string[], flag: string) =>
  command.flatMap((arg, i) => (arg === flag ? [command.slice(i + 1, i + 3)] : []))

describe('the launch of a sandbox', () => {
  it('is one that a session-host reads', () => {
    expect(hostLaunch.parse(sandboxedLaunch(parts()))).toMatchObject({
      kind: 'terminal',
      placementId,
      ptyOwner: { uid: 20_003, gid: 20_003 },
    })
  })

  it('D8: binds nothing but the system, its own files and its workspace, and only the workspace for writing', () => {
    const { command, namespace } = sandboxedLaunch(parts())
    expect(pairs(command, '--bind')).toEqual([['/run/berth-mnt/2', '/workspace']])
    expect(namespace?.mounts).toEqual([
      { source: `/root/data/instances/${placementId}/etc`, target: '/run/berth-mnt/0' },
      { source: '/root/ca.pem', target: '/run/berth-mnt/1' },
      { source: '/root/data/workspaces/w', target: '/run/berth-mnt/2' },
    ])
    const read = pairs(command, '--ro-bind').map(([source]) => source ?? '')
    expect(read.every((source) => /^\/(usr|etc\/ssl\/certs|run\/berth-mnt\/[01])(\/|$)/.test(source))).toBe(true)
    expect(command.join(' ')).not.toMatch(/--bind-try|--dev-bind|--share-net|--cap-add|docker|\/root\//)
  })

  it('gives up every right before anything of the sandbox runs', () => {
    const { command } = sandboxedLaunch(parts())
    const order = [
      '/cg/memory/x',
      'setpriv',
      '--reuid=20003',
      '--clear-groups',
      '--no-new-privs',
      'bwrap',
      '--disable-userns',
      '--clearenv',
      '/bin/bash',
    ]
    const places = order.map((arg) => command.indexOf(arg))
    expect(places.every((place, i) => place > (places[i - 1] ?? -1))).toBe(true)
  })

  it('needs neither mounts nor another uid when the agent is no root', () => {
    const launch = sandboxedLaunch(parts({ isRoot: false, wrapping: { ...parts().wrapping, identity: null, processesMax: 99 } }))
    expect(launch.namespace).toMatchObject({ mountRoot: null, mounts: [] })
    expect(launch.command).not.toContain('setpriv')
    expect(launch.command).toContain('--nproc=99:99')
    expect(pairs(launch.command, '--bind')).toEqual([['/root/data/workspaces/w', '/workspace']])
  })

  it('D1: keeps what its owner typed as arguments, never as a line for a shell', () => {
    const command = ['/bin/echo', '$(touch /tmp/x)', '; rm -rf /', '--bind', '']
    const launch = sandboxedLaunch(parts({ spec: sampleSpec({ driver: 'process-sandboxed', command }) }))
    expect(launch.command.slice(-command.length - 1)).toEqual(['--', ...command])
  })

  it('serves a notebook on its own loopback, without news, and with the kernel’s folder first', () => {
    const launch = sandboxedLaunch(parts({ spec: sampleSpec({ driver: 'process-sandboxed', kind: 'notebook' }) }))
    expect(launch.kind).toBe('service')
    expect(launch.command).toEqual(
      expect.arrayContaining(['/opt/berth/server/bin/python', '--ip=127.0.0.1', '--ServerApp.root_dir=/workspace']),
    )
    const path = pairs(launch.command, '--setenv').find(([name]) => name === 'PATH')?.[1]
    expect(path?.startsWith('/opt/berth/kernel/bin:')).toBe(true)
  })
})

describe('the launch of a plain process', () => {
  it('D9: takes only what a shell needs from the agent’s environment', () => {
    const own = { PATH: '/bin', HOME: '/home/me', SHELL: '/bin/zsh', BERTH_HOME: '/secret', TOKEN: 'x', NODE_CHANNEL_FD: '3' }
    const launch = hostLaunch.parse(plainLaunch({ ...parts(), notebook: null }, own))
    expect(launch.environment).toEqual({
      ...{ PATH: '/bin', HOME: '/home/me', SHELL: '/bin/zsh', TERM: 'xterm-256color', COLORTERM: 'truecolor' },
      SESSION_PLACEMENT: placementId,
    })
    expect([launch.command, launch.cwd, launch.namespace]).toEqual([['/bin/zsh', '-l'], '/root/data/workspaces/w', null])
  })
})
