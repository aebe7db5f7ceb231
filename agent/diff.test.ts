import { describe, expect, it } from 'vitest'
import type { Want } from '@/domain/workloads'
import type { ObservedInstance } from '@/protocol/sync'
import { type Action, accept, diff, type Present } from './diff'
import { observations } from './observations'
import type { HeldInstance } from './state'
import { held, seen, spec, uuid } from './testing/instances'
import { sampleSpec } from './testing/sample-spec'

const short = (a: Action) => (a.kind === 'stop' ? `stop ${a.how}` : a.kind)
const want = (w: Want) => spec(1, { want: w })

type Row = { name: string; h: HeldInstance; status: ObservedInstance['status'] | null; listed: boolean; does: string[] }
const row = (name: string, h: HeldInstance, rest: Omit<Row, 'name' | 'h'>): Row => ({ name, h, ...rest })
const fresh = held(want('run'), { isStarted: false })

const TABLE: Row[] = [
  row('starts what it accepted and never began', fresh, { status: null, listed: true, does: ['start'] }),
  row('starts nothing that vanished', held(want('run')), { status: null, listed: true, does: [] }),
  row('starts nothing that was refused', held(want('run'), { isStarted: false, refused: 'no_capacity' }), {
    status: null,
    listed: true,
    does: [],
  }),
  row('leaves what comes up alone', held(want('run')), { status: 'starting', listed: true, does: [] }),
  row('leaves what runs alone', held(want('run')), { status: 'running', listed: true, does: [] }),
  row('leaves what failed for the controller to judge', held(want('run')), { status: 'failed', listed: true, does: [] }),
  row('leaves what stopped by itself alone', held(want('run')), { status: 'stopped', listed: true, does: [] }),
  row('resumes what is paused and should run', held(want('run')), { status: 'paused', listed: true, does: ['resume'] }),
  row('pauses what runs and should be paused', held(want('pause')), { status: 'running', listed: true, does: ['pause'] }),
  row('waits with a pause until it runs', held(want('pause')), { status: 'starting', listed: true, does: [] }),
  row('parks what runs', held(want('park')), { status: 'running', listed: true, does: ['stop park'] }),
  row('parks what is paused', held(want('park')), { status: 'paused', listed: true, does: ['stop park'] }),
  row('parks what failed but may be up', held(want('park')), { status: 'failed', listed: true, does: ['stop park'] }),
  row('goes on with a stop that was cut', held(want('park')), { status: 'stopping', listed: true, does: ['stop park'] }),
  row('is done when it is parked', held(want('park')), { status: 'stopped', listed: true, does: [] }),
  row('does not park what is not there', held(want('park')), { status: null, listed: true, does: [] }),
  row('removes what runs', held(want('remove')), { status: 'running', listed: true, does: ['stop remove'] }),
  row('removes the files of what was parked', held(want('remove')), { status: 'stopped', listed: true, does: ['stop remove'] }),
  row('removes the files of what no driver has', held(want('remove')), { status: null, listed: true, does: ['stop remove'] }),
  row('is done when it is removed', held(want('remove'), { isRemoved: true }), { status: null, listed: true, does: [] }),
  row('destroys a stray copy', held(want('destroy')), { status: 'running', listed: true, does: ['stop destroy'] }),
  row('is done when the stray copy is over', held(want('destroy')), { status: 'stopped', listed: true, does: [] }),
  row('quarantine: leaves alone what runs and is not listed', held(want('run')), { status: 'running', listed: false, does: [] }),
  row('quarantine: leaves alone what failed and is not listed', held(want('run')), { status: 'failed', listed: false, does: [] }),
  row('quarantine: leaves alone what is paused and is not listed', held(want('pause')), {
    status: 'paused',
    listed: false,
    does: [],
  }),
  row('forgets what stopped and is not listed', held(want('run')), { status: 'stopped', listed: false, does: ['forget'] }),
  row('forgets a start that was withdrawn', fresh, { status: null, listed: false, does: ['forget'] }),
  row('goes on with an ordered stop that is no longer listed', held(want('park')), {
    status: 'running',
    listed: false,
    does: ['stop park'],
  }),
  row('goes on with an ordered removal that is no longer listed', held(want('remove')), {
    status: null,
    listed: false,
    does: ['stop remove'],
  }),
  row('forgets a removal that is done', held(want('remove'), { isRemoved: true }), {
    status: 'removed',
    listed: false,
    does: ['forget'],
  }),
]

describe('diff', () => {
  it.each(TABLE)('$name', ({ h, status, listed, does }) => {
    const observed = status === null ? [] : [seen(h.spec, status)]
    expect(diff(new Set(listed ? [h.spec.placementId] : []), { held: [h], observed }).map(short)).toEqual(does)
  })

  it('forgets nothing before the first word of the controller, and goes on with what was ordered', () => {
    const [a, b] = [held(spec(1)), held(sampleSpec({ want: 'park' }))]
    const present = { held: [a, b, fresh], observed: [seen(a.spec, 'stopped'), seen(b.spec, 'running')] }
    expect(diff(null, { ...present, held: [a, b] }).map(short)).toEqual(['stop park'])
    expect(diff(null, { held: [fresh], observed: [] }).map(short)).toEqual(['start'])
  })

  it('leaves alone what its drivers have and nobody ever ordered', () => {
    const stray = sampleSpec()
    expect(diff(new Set(), { held: [], observed: [seen(stray, 'running')] })).toEqual([])
    expect(diff(new Set(), { held: [], observed: [seen(stray, 'stopped')] }).map(short)).toEqual(['forget'])
  })

  it('waits with a start while an older copy of the workload may run', () => {
    const [old, next] = [held(spec(1, { want: 'destroy' })), held(spec(2), { isStarted: false })]
    const listed = new Set([uuid(101), uuid(102)])
    expect(diff(listed, { held: [old, next], observed: [seen(old.spec, 'running')] }).map(short)).toEqual(['stop destroy'])
    expect(diff(listed, { held: [old, next], observed: [seen(old.spec, 'stopped')] }).map(short)).toEqual(['start'])
  })

  it('keeps the files of a newer instance when an older one is to be removed', () => {
    const [old, next] = [held(spec(1, { want: 'remove' })), held(spec(2))]
    const actions = diff(new Set([uuid(101), uuid(102)]), { held: [old, next], observed: [seen(next.spec, 'running')] })
    expect(actions.map(short)).toEqual(['stop destroy'])
  })
})

describe('accept', () => {
  const nothing: Present = { held: [], observed: [] }

  it('refuses a start that is older than what it has of that workload', () => {
    const present = { held: [held(spec(2))], observed: [] }
    expect(accept([spec(1)], present)).toMatchObject({ held: [], refused: [{ workloadGen: 1 }] })
    expect(accept([spec(1)], { held: [], observed: [seen(spec(2), 'running')] }).refused).toHaveLength(1)
    expect(accept([spec(3)], present).held).toHaveLength(1)
  })

  it('takes the end of an older instance', () => {
    expect(accept([spec(1, { want: 'destroy' })], { held: [held(spec(2))], observed: [] }).held).toHaveLength(1)
  })

  it('refuses a placement that it knows as another one', () => {
    const other = { ...spec(1), workloadId: uuid(9) }
    expect(accept([other], { held: [held(spec(1))], observed: [] }).refused).toHaveLength(1)
  })

  it('never starts again what was acknowledged once, even if it knows nothing of it', () => {
    const { held: taken } = accept([spec(1, { isAcked: true })], nothing)
    expect(diff(new Set([uuid(101)]), { held: taken, observed: [] })).toEqual([])
  })

  it('adopts what a driver has', () => {
    const { held: taken } = accept([spec(1)], { held: [], observed: [seen(spec(1), 'running')] })
    expect(taken).toMatchObject([{ isStarted: true }])
  })
})

describe('observations', () => {
  const idle = new Set<string>()
  const of = (...held: HeldInstance[]) => observations({ held, observed: [] }, idle)

  it('show what was accepted before a driver shows it', () => {
    expect(of(fresh)).toMatchObject([{ status: 'starting', progress: { stage: 'creating' } }])
  })
  it('say nothing of what began and no driver has any more', () => {
    expect(of(held(want('run')), held(sampleSpec({ want: 'park' })))).toEqual([])
  })
  it('take no absence for an end while the agent works at it', () => {
    const [starting, ending] = [held(want('run')), held(sampleSpec({ want: 'park' }), { isStarted: false })]
    const busy = new Set([starting.spec.placementId, ending.spec.placementId])
    expect(observations({ held: [starting, ending], observed: [] }, busy)).toMatchObject([
      { status: 'starting' },
      { status: 'stopping' },
    ])
  })
  it('show a refused start as failed with its code, and as stopped once it was told to end', () => {
    const refused = held(want('run'), { isStarted: false, refused: 'no_capacity' })
    expect(of(refused)).toMatchObject([{ status: 'failed', code: 'no_capacity' }])
    expect(of({ ...refused, spec: want('park') })).toMatchObject([{ status: 'stopped', code: 'ok' }])
  })
  it('show a removal until it is done, and then its end', () => {
    expect(of(held(want('remove')))).toMatchObject([{ status: 'stopping' }])
    expect(of(held(want('remove'), { isRemoved: true }))).toMatchObject([{ status: 'removed' }])
  })
})
