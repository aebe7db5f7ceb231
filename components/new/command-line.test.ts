import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinCommand, splitCommand } from './command-line'

describe('splitCommand', () => {
  it.each([
    ['', []],
    ['  claude  --model opus ', ['claude', '--model', 'opus']],
    [`bash -c 'echo "a b"'`, ['bash', '-c', 'echo "a b"']],
    ['say "a \\" b"', ['say', 'a " b']],
    ["x '' y", ['x', '', 'y']],
    ['a\\ b', ['a b']],
    ['echo $HOME | cat *', ['echo', '$HOME', '|', 'cat', '*']],
  ])('%s', (text, args) => expect(splitCommand(text).args).toEqual(args))

  it('says which quote is open instead of guessing', () => {
    expect(splitCommand(`echo "a`).error).toBe('the double quote is not closed')
  })

  it('gives back every list of arguments that was written as a line', () => {
    const isSame = (args: string[]) => JSON.stringify(splitCommand(joinCommand(args)).args) === JSON.stringify(args)
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), isSame))
  })
})
