import { Monitor, Moon, Sun } from 'lucide-react'

/** What a person can choose. `system` follows the browser. */
export const THEMES = [
  { value: 'system', label: 'Follow the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const
export type Theme = (typeof THEMES)[number]['value']

/** Whether a value is one of the themes. */
export function isTheme(value: string): value is Theme {
  return THEMES.some((t) => t.value === value)
}

/** Shows a theme at once; the server sends it with the next page. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
