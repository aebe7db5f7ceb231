'use client'
import { LogOut, UserRound } from 'lucide-react'
import { signOut } from '@/components/api/sign-in'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '@/components/ui/menu'
import { THEMES, type Theme } from './theme'
import { useThemeChoice } from './theme-menu'
import { useGo } from './use-go'

export type Person = { name: string; email: string; isOperator: boolean }

/** Who is signed in, and the way out. On a phone it holds the theme too. */
export function PersonMenu({ person, theme: initial }: { person: Person; theme: Theme }) {
  const go = useGo()
  const { theme, choose } = useThemeChoice(initial)
  const trigger = (
    <button
      type="button"
      aria-label={`${person.name}: account`}
      title={person.name}
      className="group inline-flex size-7 shrink-0 items-center justify-center rounded-md max-md:size-10"
    >
      <span className="inline-flex size-6 items-center justify-center rounded-full border border-line-2 bg-hover text-micro leading-none font-semibold text-ink-2 group-hover:text-ink max-md:size-7">
        {person.name.trim().charAt(0).toUpperCase()}
      </span>
    </button>
  )
  return (
    <Menu trigger={trigger} className="w-56">
      <div className="px-2 pt-1 pb-1.5">
        <p className="truncate font-medium">{person.name}</p>
        <p className="truncate text-small text-ink-3">{person.email}</p>
      </div>
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} onChange={choose} options={THEMES} />
      <MenuLine />
      <MenuItem icon={UserRound} onSelect={() => go('/people')}>
        Account and access
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
