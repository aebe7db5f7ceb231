const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** A size in its unit: `61 MiB`, `1.8 TiB`; one decimal below ten. */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  const value = bytes / 2 ** (10 * step)
  const shown = value < 9.95 && step > 0 ? Math.round(value * 10) / 10 : Math.round(value)
  return `${shown} ${UNITS[step]}`
}

/** A size, with the exact number of bytes on hover. */
export function Bytes({ value, className }: { value: number; className?: string }) {
  return (
    <span title={`${value.toLocaleString('en-GB')} bytes`} className={className}>
      {bytesText(value)}
    </span>
  )
}
