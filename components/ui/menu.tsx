'use client'
import { type ComponentType, cloneElement, type LazyExoticComponent, lazy, Suspense, useState } from 'react'
import type { MenuChoiceProps, MenuItemProps, MenuProps, MenuToggleProps } from './menu-parts'

const load = () => import('./menu-parts')
const part = <P,>(pick: (parts: Awaited<ReturnType<typeof load>>) => ComponentType<P>): LazyExoticComponent<ComponentType<P>> =>
  lazy(() => load().then((parts) => ({ default: pick(parts) })))

const Opened = part<MenuProps>((parts) => parts.Menu)

/**
 * A menu below its trigger. The code that draws menus is fetched when the pointer or the focus comes near one, so that no
 * page waits for it.
 */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const trigger = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setWanted(true),
  })
  if (!isWanted) return trigger
  return (
    <Suspense fallback={trigger}>
      <Opened {...props} />
    </Suspense>
  )
}

/** One action of a menu. */
export const MenuItem = part<MenuItemProps>((parts) => parts.MenuItem)
/** One choice inside a menu; the chosen one carries a check. */
export const MenuChoice = part<MenuChoiceProps>((parts) => parts.MenuChoice)
/** Something that is on or off inside a menu. */
export const MenuToggle = part<MenuToggleProps>((parts) => parts.MenuToggle)
/** A micro heading inside a menu. */
export const MenuLabel = part<{ children: React.ReactNode }>((parts) => parts.MenuLabel)
/** A hairline between groups of a menu. */
export const MenuLine = part<object>((parts) => parts.MenuLine)
