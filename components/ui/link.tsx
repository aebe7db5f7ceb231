import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link within the dashboard. Nothing is fetched before the click: pages are made for one person and kept by no cache,
 * so a list of fifty rows would ask the server for a hundred pages that nobody opens.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
