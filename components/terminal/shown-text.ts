type Line = { translateToString: (trimRight: boolean) => string }
type Shown = { rows: number; buffer: { active: { viewportY: number; getLine: (y: number) => Line | undefined } } }

/** The lines of a terminal that are on the screen now, as text without the blanks at their ends. Pure. */
export function shownText({ rows, buffer: { active } }: Shown): string {
  const lines = Array.from({ length: rows }, (_, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? '')
  return lines.join('\n').trimEnd()
}
