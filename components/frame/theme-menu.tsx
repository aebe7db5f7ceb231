'use client'
import { useMutation } from '@tanstack/react-query'
import { SunMoon } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuChoice } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { isTheme, showTheme, THEMES, type Theme } from './theme'

/** The person's theme: shown at once, kept for them on every device. */
export function useThemeChoice(initial: Theme): { theme: Theme; choose: (value: string) => void } {
  const trpc = useTRPC()
  const [theme, setTheme] = useState(initial)
  const save = useMutation(trpc.me.setTheme.mutationOptions())
  const choose = (value: string) => {
    if (!isTheme(value)) return
    const before = theme
    setTheme(value)
    showTheme(value)
    save.mutate(
      { theme: value },
      {
        onError: (error) => {
          setTheme(before)
          showTheme(before)
          toast({ text: `The theme was not kept. ${failureOf(error).text}`, tone: 'bad' })
        },
      },
    )
  }
  return { theme, choose }
}

/** The theme button of the top bar. */
export function ThemeMenu({ initial }: { initial: Theme }) {
  const { theme, choose } = useThemeChoice(initial)
  const chosen = THEMES.find((t) => t.value === theme)
  return (
    <Menu trigger={<IconButton icon={SunMoon} label={`Theme: ${chosen?.label.toLowerCase()}`} />}>
      <MenuChoice value={theme} onChange={choose} options={THEMES} />
    </Menu>
  )
}
