/** What its terminals are told of the first refusal of a host, and how to ask for it; null for every other reason. */
export function refusedLine({ code, args }: { code: string; args: Record<string, unknown> }): string | null {
  if (code !== 'egress_denied' || typeof args.host !== 'string') return null
  return `Berth refused a connection to ${args.host}; to allow it, open Network on the page of this session`
}
