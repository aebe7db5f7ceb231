import { describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { because, reasonText } from '@/domain/reasons'
import { NOW } from '@/testing/candidates'
import { placementOf, workloadOf } from '@/testing/workloads'
import { plan } from './plan'
import { ago, factOf, factsOf, type Given, planned } from './testing/plan-facts'

const STARTING = { stage: 'starting', detail: null, done: null, total: null, unit: null } as const

describe('what a machine says decides', () => {
  it.each<[string, Given, string[]]>([
    [
      'provisioning and never acknowledged: started again, same placement',
      { seen: { status: 'absent', acked: null } },
      ['start placed'],
    ],
    ['provisioning and acknowledged, but absent: queued again', { seen: { status: 'absent' } }, ['retry retry_vanished']],
    [
      'provisioning and stopped by a restart: queued again',
      { seen: { status: 'stopped', bootId: 'boot-2' } },
      ['retry retry_vanished'],
    ],
    [
      'provisioning without room after all: queued again',
      { seen: { status: 'failed', code: 'no_capacity' } },
      ['retry retry_capacity'],
    ],
    ['the last attempt is spent', { workload: { attempts: 2 }, seen: { status: 'absent' } }, ['settle failed attempts_spent']],
    ['provisioning and up: running', {}, ['settle running started']],
    ['provisioning and on its way: nothing', { seen: { status: 'starting' } }, []],
    ['a new stage is noted', { seen: { status: 'starting', progress: STARTING } }, ['progress stage']],
    [
      'the same progress is not written again',
      { workload: { progress: STARTING }, seen: { status: 'starting', progress: STARTING } },
      [],
    ],
    [
      'an earlier stage of the same start is no news',
      { workload: { progress: STARTING }, seen: { status: 'starting', progress: { ...STARTING, stage: 'creating' } } },
      [],
    ],
    [
      'an earlier stage is no progress either',
      {
        workload: { progress: STARTING },
        seen: { status: 'starting', progress: { ...STARTING, stage: 'creating' } },
        progressAt: ago(300),
      },
      ['settle failed start_stalled'],
    ],
    ['a failed start names its cause', { seen: { status: 'failed', code: 'no_python' } }, ['settle failed no_python']],
    [
      'a resume whose workspace is gone: lost',
      { seen: { status: 'failed', code: 'workspace_missing' } },
      ['settle lost workspace_gone'],
    ],
    ['no progress for too long: failed', { seen: { status: 'starting' }, progressAt: ago(300) }, ['settle failed start_stalled']],
    ['running and up: nothing', { workload: { state: 'running' } }, []],
    [
      'running and broken: failed',
      { workload: { state: 'running' }, seen: { status: 'failed', code: 'out_of_memory' } },
      ['settle failed out_of_memory'],
    ],
    [
      'running and stopped, files there: rebooted',
      { workload: { state: 'running' }, seen: { status: 'stopped', bootId: 'boot-2' } },
      ['reboot machine_rebooted'],
    ],
    ['running and absent: lost', { workload: { state: 'running' }, seen: { status: 'absent' } }, ['settle lost machine_lost_it']],
    [
      'running and stopped without files: lost',
      { workload: { state: 'running' }, seen: { status: 'stopped', hasWorkspace: false } },
      ['settle lost machine_lost_it'],
    ],
    ['running and frozen: paused', { workload: { state: 'running' }, seen: { status: 'paused' } }, ['settle paused frozen']],
    ['paused and thawed: running', { workload: { state: 'paused' }, seen: { status: 'running' } }, ['settle running thawed']],
    ['paused and absent: lost', { workload: { state: 'paused' }, seen: { status: 'absent' } }, ['settle lost machine_lost_it']],
    [
      'paused and stopped, files there: rebooted',
      { workload: { state: 'paused' }, seen: { status: 'stopped' } },
      ['reboot machine_rebooted'],
    ],
    [
      'paused and broken: stopped in order',
      { workload: { state: 'paused' }, seen: { status: 'failed', code: 'out_of_memory' } },
      ['settle parking out_of_memory'],
    ],
    [
      'the main process ended: still running, code kept',
      { workload: { state: 'running' }, seen: { exitCode: 3 } },
      ['exit stage_ended'],
    ],
    ['the same exit code is not written again', { workload: { state: 'running', exitCode: 3 }, seen: { exitCode: 3 } }, []],
    ['parking and up: asked to stop', { workload: { state: 'parking' } }, ['end park parked']],
    ['parking and on its way: nothing', { workload: { state: 'parking' }, seen: { status: 'stopping', acked: 'park' } }, []],
    [
      'parking for too long: forced',
      { workload: { state: 'parking', stateSince: ago(60) }, seen: { acked: 'park' } },
      ['end destroy park_forced'],
    ],
    [
      'parking and stopped: parked',
      { workload: { state: 'parking' }, seen: { status: 'stopped', acked: 'park' } },
      ['settle parked parked'],
    ],
    [
      'parking and stopped by force: parked, and says so',
      { workload: { state: 'parking' }, seen: { status: 'stopped', code: 'stop_forced' } },
      ['settle parked park_forced'],
    ],
    [
      'parking and gone after force: parked',
      { workload: { state: 'parking' }, seen: { status: 'absent', acked: 'destroy', hasWorkspace: false } },
      ['settle parked park_forced'],
    ],
    [
      'parking and absent: lost',
      { workload: { state: 'parking' }, seen: { status: 'absent', hasWorkspace: false } },
      ['settle lost machine_lost_it'],
    ],
    ['removing and up: asked to go', { workload: { state: 'removing' } }, ['end remove removed']],
    [
      'removing and absent, but never asked: asked',
      { workload: { state: 'removing' }, seen: { status: 'absent' } },
      ['end remove removed'],
    ],
    ['removing and on its way: nothing', { workload: { state: 'removing' }, seen: { status: 'stopping', acked: 'remove' } }, []],
    [
      'removing for too long: asked again',
      { workload: { state: 'removing', stateSince: ago(60) }, seen: { status: 'stopping', acked: 'remove' } },
      ['end remove removed'],
    ],
    [
      'removing and gone: removed',
      { workload: { state: 'removing' }, seen: { status: 'absent', acked: 'remove' } },
      ['settle removed removed'],
    ],
    ['removing without a placement: removed', { workload: { state: 'removing' }, placement: null }, ['settle removed removed']],
    [
      'removing and its machine left Berth: removed',
      { workload: { state: 'removing' }, machine: null },
      ['settle removed removed'],
    ],
    ['failed and up: kept for a look', { workload: { state: 'failed' } }, []],
    ['failed and the look is over: ended', { workload: { state: 'failed', stateSince: ago(900) } }, ['end_look look_ended']],
    [
      'failed and nothing runs: capacity is given back',
      { workload: { state: 'failed' }, seen: { status: 'stopped' } },
      ['end_look look_gone'],
    ],
    ['lost: nothing by itself', { workload: { state: 'lost' }, placement: null }, []],
    ['parked: nothing', { workload: { state: 'parked' }, placement: null }, []],
  ])('%s', (...[, given, expected]) => {
    expect(planned(given)).toEqual(expected)
  })

  it.each([
    [because('parked_by_person', { person: 'Ada' }), 'parked by Ada; its workspace is kept'],
    [because('parked_idle', { minutes: 30 }), 'parked: nothing happened for 30 minutes; its workspace is kept'],
    [because('parked_schedule', {}), 'parked by its schedule; its workspace is kept'],
    [because('started', {}), 'stopped; its workspace is kept'],
  ])('what is parked goes on to say why: %j', (reason, said) => {
    const step = plan(factsOf([factOf({ workload: { state: 'parking', reason }, seen: { status: 'stopped' } })]))[0]
    expect(step?.reason && reasonText(step.reason)).toBe(said)
  })

  it('X63: says for how long a program was asked before it was ended', () => {
    const saidOf = (seen: Given['seen']) => plan(factsOf([factOf({ workload: { state: 'parking' }, seen })]))[0]?.reason
    expect(saidOf({ status: 'stopped', code: 'stop_forced' })?.args).toEqual({ seconds: LIMITS.stopGraceSeconds })
    expect(saidOf({ status: 'absent', acked: 'destroy' })?.args).toEqual({ seconds: LIMITS.parkSeconds })
  })

  it('X17 X21: takes the silence of a machine for nothing', () => {
    for (const state of ['provisioning', 'running', 'paused', 'parking', 'failed'] as const)
      expect(planned({ workload: { state, stateSince: ago(86_400) }, seen: { status: 'unknown', acked: null } })).toEqual([])
  })

  it('X22: removes for the person when the machine is away, and not for a short silence', () => {
    const away = (seconds: number) => ({
      workload: { state: 'removing' as const },
      seen: { status: 'unknown' as const },
      machine: { isConnected: false, lastContactAt: ago(seconds) },
    })
    expect(planned(away(10))).toEqual([])
    expect(planned(away(30))).toEqual(['settle removed removed_later'])
  })

  it('keeps the codes of a machine in the vocabulary, and its words out', () => {
    const failed = (subject: string) =>
      plan(factsOf([factOf({ seen: { status: 'failed', code: 'environment_failed', subject } })]))[0]?.reason
    expect(failed('numpy>=3')).toEqual({ code: 'environment_failed', args: { package: 'numpy>=3' } })
    expect(failed('<b>boom</b>')).toEqual({ code: 'environment_failed', args: {} })
  })

  it.each([
    ['command_missing', 'no-such-program', 'could not start: there is no program no-such-program'],
    ['command_refused', './data\u001b[2J', 'could not start: ./data [2J cannot be executed'],
    ['command_refused', 'x'.repeat(5000), `could not start: ${'x'.repeat(99)}… cannot be executed`],
  ] as const)('names the program that could not be run as its user did: %s', (code, name, words) => {
    const spec = { ...workloadOf().spec, command: [name, 'secret argument'] }
    const seen = { status: 'failed' as const, code, subject: 'words of a machine' }
    const [step] = plan(factsOf([factOf({ workload: { spec }, seen })]))
    expect(step && reasonText(step.reason)).toBe(words)
  })

  it.each([
    ['missing', null, '/data is not there'],
    ['not_writable', 20_001, 'user 20001, as whom this workload runs, may not write in /data'],
    ['not_readable', null, 'the account that runs Berth may not read /data'],
    ['not_allowed', 20_001, 'is not below a folder that the machine allows'],
  ] as const)('says of a folder that was not shown why: %s', (cause, uid, words) => {
    const seen = { status: 'failed' as const, code: 'mount_refused' as const, subject: '/data', folderRefused: { cause, uid } }
    const [step] = plan(factsOf([factOf({ seen })]))
    expect(step && reasonText(step.reason)).toContain(`could not show /data inside: `)
    expect(step && reasonText(step.reason)).toContain(words)
  })

  it.each([
    ['session', undefined, true],
    ['endpoint', undefined, true],
    ['notebook', undefined, false],
    ['session', 'stay', false],
    ['notebook', 'resume', true],
  ] as const)('X16: after a restart of its machine a %s with policy %s resumes: %s', (kind, rebootPolicy, isResumed) => {
    const { spec } = workloadOf()
    const workload = { state: 'running' as const, kind, spec: { ...spec, ...(rebootPolicy ? { rebootPolicy } : {}) } }
    expect(plan(factsOf([factOf({ workload, seen: { status: 'stopped' } })]))).toMatchObject([{ kind: 'reboot', isResumed }])
  })

  it('waits longer after each attempt', () => {
    const next = (attempts: number) => {
      const [step] = plan(factsOf([factOf({ workload: { attempts }, seen: { status: 'absent' } })]))
      return step?.kind === 'retry' ? step.nextTryAt.getTime() - NOW.getTime() : null
    }
    expect([next(0), next(1)]).toEqual([2000, 4000])
  })
})

describe('a plan', () => {
  it('is the same for the same facts', () => {
    const facts = factsOf([factOf({}), factOf({ workload: { state: 'parking' } })])
    expect(plan(facts)).toEqual(plan(facts))
  })

  it('names the placement that each step means', () => {
    const fact = factOf({ workload: { state: 'parking' } })
    const { id } = fact.workload
    expect(plan(factsOf([fact]))).toMatchObject([
      { instance: { workloadId: id, placementId: fact.workload.placement?.id, workloadGen: 1 } },
    ])
    expect(placementOf(fact.workload).workloadId).toBe(id)
  })
})
