import { expect, it } from 'vitest'
import { normalQuery, parseViews, withView } from './saved-views'

it('the same view is the same text in whatever order the URL has it', () => {
  expect(normalQuery('?view=waiting&kind=notebook')).toBe(normalQuery('kind=notebook&view=waiting'))
})

it.each([null, '', '{', '{}', '[1, null, {"name": 1, "query": ""}]'])('what is no saved view is none: %s', (stored) => {
  expect(parseViews(stored)).toEqual([])
})

it('a view of the same name is replaced, an empty name saves nothing, and there is a bound', () => {
  const one = withView([], { name: ' Mine ', query: 'view=mine' })
  expect(withView(one, { name: 'Mine', query: 'view=live' })).toEqual([{ name: 'Mine', query: 'view=live' }])
  expect(withView(one, { name: '  ', query: '' })).toEqual(one)
  const many = Array.from({ length: 30 }, (_, i) => i).reduce((all, i) => withView(all, { name: `v${i}`, query: '' }), one)
  expect(many).toHaveLength(20)
  expect(parseViews(JSON.stringify(many))).toEqual(many)
})
