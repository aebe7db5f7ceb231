import { answerAuth } from '@/server/auth/auth-route'
import { runtime } from '@/server/auth/runtime'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ nextauth: string[] }> }
const handle = async (request: Request, context: Context) => answerAuth(runtime(), request, (await context.params).nextauth)

export { handle as GET, handle as POST }
