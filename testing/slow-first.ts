import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a tenth of their project's time or more. Begun last, one of them would run alone at the end. */
const SLOW = [
  'agent/drivers/process/notebook.test.ts',
  'agent/drivers/process/uv-and-plain.test.ts',
  'controller/convergence.db.test.ts',
  'controller/restore.db.test.ts',
]

/** Begins with the files that take long; the others come in the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at === -1 ? SLOW.length : at
    }
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
