import { describe, expect, it } from 'vitest'
import type { WorkloadView } from '@/domain/views'
import { viewOf } from '@/testing/workload-view'
import { deleteWords } from './delete-words'

const at = new Date('2026-03-12T14:00:00Z')
const reach = { machineId: 'm', machineName: 'rack-1', isConnected: true, lastContactAt: at }

function view(patch: Partial<WorkloadView>): WorkloadView {
  return viewOf({ id: '1', name: 'lora-sweep', stateSince: at, createdAt: at, reach, ...patch })
}

describe('what a delete says before it happens', () => {
  it('names the workspace with its machine, and what runs', () => {
    const words = deleteWords([view({})])
    expect(words.description).toContain('It runs now')
    expect(words.lost.map((l) => [l.text, l.detail])).toEqual([
      ['Workspace', 'all files, on rack-1'],
      ['Running kernels', 'ended at once'],
    ])
    expect(words.typed).toBe('lora-sweep')
  })

  it('names the record of a session', () => {
    expect(deleteWords([view({ kind: 'session', state: 'parked' })]).lost.map((l) => l.what)).toEqual(['workspace', 'record'])
  })

  it('asks for no typed name when nothing was ever placed', () => {
    expect(deleteWords([view({ state: 'queued', workloadGen: 0, reach: null })])).toMatchObject({
      lost: [],
      typed: null,
      confirm: 'Cancel it',
    })
  })

  it('says that folders of the machine stay, which were only shown inside', () => {
    const spec = { ...view({}).spec, mounts: [{ path: '/home/mara/data', mode: 'rw' as const }] }
    expect(deleteWords([view({ spec })]).stays).toBe('Its timeline, and the folders of the machine: /home/mara/data.')
    expect(deleteWords([view({}), view({ spec })]).stays).toContain('the folders of the machine')
  })

  it('says that files on a silent machine are destroyed later', () => {
    expect(deleteWords([view({ reach: { ...reach, isConnected: false } })]).stays).toContain('when that machine is back')
  })

  it('counts over a selection', () => {
    const words = deleteWords([view({}), view({ id: '2', state: 'parked' }), view({ id: '3', state: 'queued', workloadGen: 0 })])
    expect(words.lost.map((l) => l.text)).toEqual(['2 workspaces', '1 running process'])
    expect(words.typed).toBe('delete 3')
  })
})
