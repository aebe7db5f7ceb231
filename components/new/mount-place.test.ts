import { describe, expect, it } from 'vitest'
import { PERSON } from '@/testing/candidates'
import { machineViewOf } from '@/testing/machine-view'
import { folderProblem, mountPlace } from './mount-place'

const open = machineViewOf('atlas', { mountRoots: ['/home/mara'] })
const closed = machineViewOf('harbor')
const foreign = machineViewOf('rack', { ownerId: 'someone-else', mountRoots: ['/data'] })
const place = (machines = [closed, open, foreign], machineId: string | null = null) =>
  mountPlace({ machines, machineId, personId: PERSON })

describe('mountPlace', () => {
  const none = { machine: undefined, roots: [], canAllow: false }
  it.each([
    ['the own machine that allows one', place(), { machine: 'atlas', roots: ['/home/mara'], problem: null, canAllow: false }],
    [
      'asks once where nothing is allowed yet',
      place([closed]),
      { machine: 'harbor', roots: [], problem: 'No folder of harbor is allowed yet', canAllow: true },
    ],
    [
      'the chosen machine, whatever others allow',
      place(undefined, 'harbor'),
      { machine: 'harbor', roots: [], problem: 'No folder of harbor is allowed yet', canAllow: true },
    ],
    [
      'never a machine of somebody else',
      place(undefined, 'rack'),
      { ...none, problem: 'rack is not yours: folders come from a machine that you own' },
    ],
    ['no machine', place([foreign]), { ...none, problem: 'Folders come from a machine that you own; you own none here' }],
  ])('%s', (_, found, expected) => expect({ ...found, machine: found.machine?.name }).toEqual(expected))
})

describe('folderProblem', () => {
  it.each([
    ['', null],
    ['/home/mara', null],
    [' /home/mara/data ', null],
    ['/home/marathon', 'not below an allowed folder of atlas: /home/mara'],
    ['/home/mara/../root', 'an absolute path below /, without ., .. or //'],
    ['data', 'an absolute path below /, without ., .. or //'],
    ['/home/mara/', null],
    ['/home/mara//', 'an absolute path below /, without ., .. or //'],
  ])('%j: %s', (path, problem) => expect(folderProblem(path, place())).toBe(problem))
})
