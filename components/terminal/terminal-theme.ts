import type { ITheme } from '@xterm/xterm'

/** Each colour of the terminal as a CSS value made of our tokens; the same in both themes. */
const COLOURS = {
  background: 'var(--color-term)',
  foreground: 'var(--color-term-ink)',
  cursor: 'var(--color-term-teal)',
  cursorAccent: 'var(--color-term)',
  selectionBackground: 'color-mix(in oklab, var(--color-term-teal) 30%, var(--color-term))',
  black: 'var(--color-term-line)',
  red: 'var(--color-term-red)',
  green: 'var(--color-term-green)',
  yellow: 'var(--color-term-amber)',
  blue: 'var(--color-term-blue)',
  magenta: 'color-mix(in oklab, var(--color-term-red) 55%, var(--color-term-blue))',
  cyan: 'var(--color-term-teal)',
  white: 'var(--color-term-ink)',
  brightBlack: 'var(--color-term-dim)',
  brightRed: 'color-mix(in oklab, var(--color-term-red) 75%, white)',
  brightGreen: 'color-mix(in oklab, var(--color-term-green) 75%, white)',
  brightYellow: 'color-mix(in oklab, var(--color-term-amber) 75%, white)',
  brightBlue: 'color-mix(in oklab, var(--color-term-blue) 75%, white)',
  brightMagenta: 'color-mix(in oklab, color-mix(in oklab, var(--color-term-red) 55%, var(--color-term-blue)) 75%, white)',
  brightCyan: 'color-mix(in oklab, var(--color-term-teal) 75%, white)',
  brightWhite: 'white',
} as const satisfies ITheme

export type TerminalTheme = Record<keyof typeof COLOURS, string>

/** Reads the tokens as `#rrggbb`: xterm draws with colours, not with variables. `host` is an element of the page. */
export function readTerminalTheme(host: HTMLElement): TerminalTheme {
  const probe = host.ownerDocument.createElement('span')
  probe.hidden = true
  host.append(probe)
  const toHex = hexReader(host.ownerDocument)
  const read = (value: string) => {
    probe.style.color = value
    return toHex(getComputedStyle(probe).color)
  }
  const theme: TerminalTheme = { ...COLOURS }
  for (const name of Object.keys(COLOURS) as (keyof typeof COLOURS)[]) theme[name] = read(COLOURS[name])
  probe.remove()
  return theme
}

/** `#0f1214` as programs are told colours: `rgb:0f0f/1212/1414`. Pure. */
export function reportedColour(hex: string): string {
  const channel = (at: number) => hex.slice(at, at + 2).repeat(2)
  return `rgb:${channel(1)}/${channel(3)}/${channel(5)}`
}

/** A canvas turns any CSS colour into the pixel that it is. */
function hexReader(document: Document): (css: string) => string {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (css) => {
    if (!context) return '#000000'
    context.fillStyle = css
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  }
}
