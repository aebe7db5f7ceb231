import { handOver } from '@/server/api/hand-over'
import { runtime } from '@/server/auth/runtime'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ label: string }> }

export async function GET(request: Request, context: Context): Promise<Response> {
  return handOver(runtime(), request, (await context.params).label)
}

/** Without this, Next would answer HEAD by GET, and a link checker would mint tickets. */
export function HEAD(): Response {
  return new Response(null, { status: 405, headers: { allow: 'GET' } })
}
