import { requirements as schema } from '@/domain/workloads'

/** What is wrong with packages, by the schema of the API: the first one with its limit; null: nothing. Pure. */
export function wrongPackage(requirements: readonly string[]): string | null {
  const issue = schema.safeParse(requirements).error?.issues[0]
  if (!issue) return null
  const [at] = issue.path
  const name = typeof at === 'number' ? requirements[at] : undefined
  return name === undefined ? issue.message : `“${name}”: ${issue.message}`
}
