import { House, Layers, LibraryBig, type LucideIcon, Server, Users } from 'lucide-react'

/** The places of the rail and the bottom bar, in order. Only pages that exist. */
export type Place = {
  href: string
  label: string
  /** The label where there is little room. */
  short?: string
  icon: LucideIcon
  count?: 'workloads' | 'machines'
}

export const PLACES: readonly Place[] = [
  { href: '/', label: 'Home', icon: House },
  { href: '/workloads', label: 'Workloads', icon: Layers, count: 'workloads' },
  { href: '/machines', label: 'Machines', icon: Server, count: 'machines' },
  { href: '/catalog', label: 'Catalog', icon: LibraryBig },
  { href: '/people', label: 'People & access', short: 'People', icon: Users },
]

/** Whether a path belongs to a place. The form for a new workload belongs to Workloads. */
export function isAt(place: Place, path: string): boolean {
  if (place.href === '/') return path === '/'
  return path === place.href || path.startsWith(`${place.href}/`) || (place.href === '/workloads' && path === '/new')
}

/** The session page fills the window: a narrow rail, no padding, and on a phone nothing of the frame. */
export function isFullScreen(path: string): boolean {
  return /^\/workloads\/[^/]+\/terminal$/.test(path)
}
