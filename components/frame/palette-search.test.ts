import { expect, it } from 'vitest'
import { paletteSearch } from './palette-search'

it.each([
  ['', null, ''],
  ['lora', null, 'lora'],
  [' park ', 'park', ''],
  ['Park lora-sweep', 'park', 'lora-sweep'],
  ['resume  notes', 'resume', 'notes'],
  ['parking-lot', null, 'parking-lot'],
  ['open', 'open', ''],
])('%j looks for %j of %j', (text, verb, name) => expect(paletteSearch(text)).toEqual({ verb, name }))
