import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { addRoot } from './add-root'

const many = Array.from({ length: LIMITS.mountRootsMax }, (_, i) => `/data/${i}`)

it.each([
  [[], ' /home/mara ', { roots: ['/home/mara'], error: null }],
  [['/data'], '/home/mara/', { roots: ['/data', '/home/mara'], error: null }],
  [['/home'], '/home', { roots: null, error: 'allowed already' }],
  [['/home'], '/home/mara', { roots: null, error: 'allowed already, below /home' }],
  [['/home/mara'], '/home/marathon', { roots: ['/home/mara', '/home/marathon'], error: null }],
  [[], '/home/../etc', { roots: null, error: 'an absolute path below /, without ., .. or //' }],
  [[], 'home', { roots: null, error: 'an absolute path below /, without ., .. or //' }],
  [[], '/', { roots: null, error: 'an absolute path below /, without ., .. or //' }],
  [many, '/home', { roots: null, error: `at most ${LIMITS.mountRootsMax} folders` }],
])('to %j adds %j: %j', (roots, typed, expected) => expect(addRoot(roots, typed)).toEqual(expected))
