/** The tones that text, icons and grounds may have. Status tones always come with an icon and a word. */
export type Tone = 'good' | 'wait' | 'warn' | 'bad' | 'ink' | 'ink-2' | 'ink-3' | 'accent'

/** Text and icon colour of a tone. */
export const TONE_TEXT: Record<Tone, string> = {
  good: 'text-good',
  wait: 'text-wait',
  warn: 'text-warn',
  bad: 'text-bad',
  ink: 'text-ink',
  'ink-2': 'text-ink-2',
  'ink-3': 'text-ink-3',
  accent: 'text-accent-ink',
}

/** The soft ground of a pill or banner in that tone. */
export const TONE_SOFT: Record<Tone, string> = {
  good: 'bg-good-soft',
  wait: 'bg-wait-soft',
  warn: 'bg-warn-soft',
  bad: 'bg-bad-soft',
  ink: 'bg-hover',
  'ink-2': 'bg-hover',
  'ink-3': 'bg-hover',
  accent: 'bg-accent-soft',
}
