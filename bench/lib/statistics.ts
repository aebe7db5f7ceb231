/** Percentile by linear interpolation between the closest ranks; `p` from 0 to 100. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = ((sorted.length - 1) * p) / 100
  const low = sorted[Math.floor(rank)]
  const high = sorted[Math.ceil(rank)]
  if (low === undefined || high === undefined) throw new Error('no values')
  return low + (high - low) * (rank - Math.floor(rank))
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Runs `sides` one after the other, `rounds` times, and returns what each gave in each round. */
export async function interleave<K extends string>(
  rounds: number,
  sides: Record<K, () => Promise<number>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(sides) as K[]
  const values = Object.fromEntries(names.map((name): [K, number[]] => [name, []])) as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) values[name].push(await sides[name]())
  }
  return values
}
