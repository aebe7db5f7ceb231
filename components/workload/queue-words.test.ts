import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { whatItNeeds } from './queue-words'

it.each([
  [because('waiting_no_gpu_class', { class: 'h100-80gb', machines: 1 }), 'joined'],
  [because('waiting_cpu', { asked: 64, free: 1, total: 2 }), 'joined'],
  [because('waiting_not_shared', {}), 'shared'],
  [because('waiting_machine_away', { machine: 'rack-1' }), 'back'],
])('no turn is promised where room is not what lacks: %j needs a machine that is %s', (reason, needs) => {
  expect(whatItNeeds(reason)).toBe(needs)
})
