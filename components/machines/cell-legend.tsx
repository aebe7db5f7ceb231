import { DeviceCell } from '@/components/ui/device-cell'

/** What the cells mean. */
export function CellLegend({ className }: { className?: string }) {
  return (
    <ul className={className}>
      {LEGEND.map(({ look, word, use }) => (
        <li key={look} className="flex items-center gap-1.5">
          <span aria-hidden>
            <DeviceCell look={look} use={use} label={word} />
          </span>
          {word}
        </li>
      ))}
    </ul>
  )
}

const LEGEND = [
  { look: 'free', word: 'Free', use: 0 },
  { look: 'busy', word: 'Busy, filled to use', use: 0.62 },
  { look: 'foreign', word: 'Foreign', use: 0 },
  { look: 'wedged', word: 'Wedged', use: 0 },
  { look: 'silent', word: 'Silent', use: 0 },
] as const
