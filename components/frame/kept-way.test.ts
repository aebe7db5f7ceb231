import { describe, expect, it } from 'vitest'
import { KeptWay, pageOf } from './kept-way'

const HERE = 'http://berth.localhost:7600/workloads?q=a'
const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false }
const link = (href: string, more = {}) => ({ href, target: '', hasDownload: false, ...more })

/** A Berth whose answers are given one by one. */
function berth() {
  const asked: ((answer: boolean) => void)[] = []
  const pauses: (() => void)[] = []
  const way = new KeptWay({
    answers: () => new Promise((resolve) => asked.push(resolve)),
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  })
  const gone: string[] = []
  return { way, asked, pauses, gone, follow: (to: string) => way.follow(() => gone.push(to)) }
}

/** Lets what was resolved run to its next wait. */
const settled = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve()
}

describe('a way that Berth does not answer', () => {
  it('is kept and told, and is gone once it answers', async () => {
    const { way, asked, pauses, gone, follow } = berth()
    const done = follow('/machines')
    asked[0]?.(false)
    await settled()
    expect([way.get(), gone]).toEqual([true, []])
    pauses[0]?.()
    await settled()
    asked[1]?.(true)
    await done
    expect([way.get(), gone]).toEqual([false, ['/machines']])
  })

  it('gives way to the next one, and to staying', async () => {
    const { way, asked, gone, follow } = berth()
    const first = follow('/machines')
    const second = follow('/catalog')
    asked[0]?.(true)
    asked[1]?.(true)
    await Promise.all([first, second])
    expect(gone).toEqual(['/catalog'])
    const third = follow('/people')
    way.stay()
    asked[2]?.(true)
    await third
    expect([way.get(), gone]).toEqual([false, ['/catalog']])
  })
})

it.each([
  ['a page of ours', link('/machines?machine=1'), plain, '/machines?machine=1'],
  ['another query of this page', link('/workloads?q=b#row'), plain, '/workloads?q=b#row'],
  ['this tab by name', link('/', { target: '_self' }), plain, '/'],
  ['a place in this page', link('#main'), plain, null],
  ['a new tab', link('/open/abc', { target: '_blank' }), plain, null],
  ['a download', link('/log', { hasDownload: true }), plain, null],
  ['another origin', link('http://other.localhost:7600/'), plain, null],
  ['what is no page', link('/api/export'), plain, null],
  ['a key held', link('/machines'), { ...plain, ctrlKey: true }, null],
  ['another button', link('/machines'), { ...plain, button: 1 }, null],
])('a click on a link: %s', (...[, to, click, page]) => expect(pageOf(to, click, HERE)).toBe(page))
