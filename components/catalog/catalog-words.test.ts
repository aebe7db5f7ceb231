import { expect, it } from 'vitest'
import { CATALOG, gpus, inventoryOf } from '@/testing/candidates'
import { machineViewOf } from '@/testing/machine-view'
import { catalogText, defaultSizeText, devicesHere } from './catalog-words'

const [runtime] = CATALOG.runtimes
const l4 = CATALOG.classes.find((c) => c.id === 'l4-24gb')
if (!runtime || !l4) throw new Error('the test catalog has both')

it('counts what there is, one or many', () => {
  expect(catalogText(CATALOG)).toBe('2 runtimes, 1 size, 4 GPU classes.')
  expect(catalogText({ ...CATALOG, classes: [l4] })).toBe('2 runtimes, 1 size, 1 GPU class.')
})

it('names the first size of a runtime by its title, and by its id where there is no such size', () => {
  expect(defaultSizeText(CATALOG, runtime)).toBe('Small')
  expect(defaultSizeText(CATALOG, { ...runtime, defaultSize: 'huge' })).toBe('huge')
})

it('counts devices by the class that the catalog gives them', () => {
  const devices = [...gpus('a', 'l4-24gb', ['free', 'busy']), ...gpus('b', 'h100-80gb', ['free'])]
  const machines = [machineViewOf('atlas', { inventory: inventoryOf({ devices }) }), machineViewOf('new', { inventory: null })]
  expect(devicesHere(l4, CATALOG, machines)).toBe(2)
})
