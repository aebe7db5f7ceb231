import { answerApi } from '@/server/api/answer'
import { runtime } from '@/server/auth/runtime'

export const dynamic = 'force-dynamic'

const handle = (request: Request) => answerApi(runtime(), request)

export { handle as GET, handle as POST }
