/** What its terminals are told of the first refusal of a host, and where more is said; null for every other reason. */
export function refusedLine({ code, args }: { code: string; args: Record<string, unknown> }): string | null {
  if (code !== 'egress_denied' || typeof args.host !== 'string') return null
  return `Berth refused a connection to ${args.host}; Network, on the page of this session, says why`
}
