const FONT_PX = 13
const FONT_PX_PHONE = 12
const FONT_PX_MIN = 6

/** Font size of a terminal whose size is this screen's own. */
export function ownFontPx(widthPx: number): number {
  return widthPx < 640 ? FONT_PX_PHONE : FONT_PX
}

/**
 * Font size at which somebody else's columns and rows fit this screen; half pixels, never larger than our own.
 * `cell` is the size of a character cell at `cell.fontPx`. Below the smallest readable size the view scrolls instead.
 */
export function viewerFontPx(
  screen: { widthPx: number; heightPx: number },
  grid: { cols: number; rows: number },
  cell: { widthPx: number; heightPx: number; fontPx: number },
): number {
  const largest = ownFontPx(screen.widthPx)
  if (cell.widthPx <= 0 || cell.heightPx <= 0) return largest
  const scale = Math.min(screen.widthPx / (grid.cols * cell.widthPx), screen.heightPx / (grid.rows * cell.heightPx))
  const fitting = Math.floor(cell.fontPx * scale * 2) / 2
  return Math.max(FONT_PX_MIN, Math.min(largest, fitting))
}
