// `npm run gen`: everything that is generated: both Prisma clients and the reference pages.
import path from 'node:path'
import { generateClients } from './lib/prepare.mjs'
import { must } from './lib/steps.mjs'

await generateClients(path.dirname(import.meta.dirname))
await must('writing docs/reference', ['node_modules/.bin/tsx', 'scripts/gen-docs.ts'])
