import { expect, it } from 'vitest'
import { lastOf } from './last-of'

it('keeps the last answer while it is asked again and when that fails; who asks before the first joins it', async () => {
  const asked: { answer: (text: string) => void; fail: () => void }[] = []
  const { last, again } = lastOf(
    () =>
      new Promise<string>((answer, reject) => {
        asked.push({ answer, fail: () => reject(new Error('no answer')) })
      }),
  )
  const first = [again(), last(), last()]
  expect(asked).toHaveLength(1)
  asked[0]?.answer('one')
  expect(await Promise.all(first)).toEqual(['one', 'one', 'one'])
  const failing = again()
  expect(await last()).toBe('one')
  asked[1]?.fail()
  await expect(failing).rejects.toThrow('no answer')
  expect(await last()).toBe('one')
  const third = again()
  asked[2]?.answer('three')
  expect([await third, await last()]).toEqual(['three', 'three'])
})

it('asks anew after a first time that failed', async () => {
  const answers = [Promise.reject(new Error('no answer')), Promise.resolve('two')]
  const { last } = lastOf(() => answers.shift() ?? Promise.reject(new Error('asked too often')))
  await expect(last()).rejects.toThrow('no answer')
  expect([await last(), await last()]).toEqual(['two', 'two'])
})
