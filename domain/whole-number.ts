import { z } from 'zod'
import { counted } from './reason'

type Bounds = { min: number; max: number; text: (bound: number) => string; whole: string }

/** How many of something, within bounds that are told in its own unit. */
export function between(min: number, max: number, one: string): z.ZodInt {
  return whole({ min, max, text: (bound) => counted(bound, one), whole: `a whole number of ${one}s` })
}

/** A size in bytes, within bounds that are told as people say them. */
export function bytesBetween(min: number, max: number): z.ZodInt {
  return whole({ min, max, text: sizeText, whole: 'a whole number of bytes' })
}

/** Of a number that is too large to be counted exactly, the limit is what a person can act on. */
function whole({ min, max, text, whole }: Bounds): z.ZodInt {
  const most = `at most ${text(max)}`
  const least = min === 0 ? '0 or more' : `at least ${text(min)}`
  return z
    .int({
      error: ({ code, input }) => {
        if (code === 'too_big' || input === Number.POSITIVE_INFINITY) return most
        if (code === 'too_small' || input === Number.NEGATIVE_INFINITY) return least
        return Number.isNaN(input) ? 'a number' : whole
      },
    })
    .min(min, least)
    .max(max, most)
}

function sizeText(bytes: number): string {
  return bytes < 2 ** 40 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 40} TiB`
}
