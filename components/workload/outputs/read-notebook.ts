import { member } from '@/components/api/failure'
import { plainLine } from '../logs/plain-line'
import { IMAGE_TYPES, type SafeImage, safeImage } from './safe-image'

/** What a cell put out, as far as it is shown: plain text and pictures. `other`: only JupyterLab shows it. */
export type Output =
  | { is: 'text'; text: string }
  | { is: 'error'; text: string }
  | { is: 'image'; image: SafeImage }
  | { is: 'other' }
export type Cell = { is: 'code' | 'text'; source: string; count: number | null; outputs: Output[] }
/** `isWhole` is false where there is more than is shown here. */
export type Notebook = { cells: Cell[]; isWhole: boolean }

const CELLS_MAX = 500
const OUTPUTS_MAX = 50
const TEXT_CHARS = 50_000
const CUT = '\n… the rest is shown only in JupyterLab'
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/latex'] as const

/** Reads a saved notebook, format 4; null for anything else. What it holds was written by programs: all of it becomes plain text. Pure. */
export function readNotebook(json: string): Notebook | null {
  const raw = parsed(json)
  const cells = member(raw, 'cells')
  if (member(raw, 'nbformat') !== 4 || !Array.isArray(cells)) return null
  const shown = cells.slice(0, CELLS_MAX)
  const isWhole = cells.length <= CELLS_MAX && shown.every((cell) => listOf(member(cell, 'outputs')).length <= OUTPUTS_MAX)
  return { cells: shown.map(cellOf), isWhole }
}

function cellOf(raw: unknown): Cell {
  const count = member(raw, 'execution_count')
  const outputs = listOf(member(raw, 'outputs')).slice(0, OUTPUTS_MAX)
  return {
    is: member(raw, 'cell_type') === 'code' ? 'code' : 'text',
    source: plainText(textOf(member(raw, 'source'))),
    count: typeof count === 'number' && Number.isSafeInteger(count) ? count : null,
    outputs: outputs.map(outputOf),
  }
}

function outputOf(raw: unknown): Output {
  const kind = member(raw, 'output_type')
  if (kind === 'stream') return { is: 'text', text: plainText(textOf(member(raw, 'text'))) }
  if (kind === 'error') return { is: 'error', text: errorText(raw) }
  const data = member(raw, 'data')
  for (const type of IMAGE_TYPES) {
    const image = safeImage(type, textOf(member(data, type)))
    if (image) return { is: 'image', image }
  }
  const text = TEXT_TYPES.map((type) => textOf(member(data, type))).find((found) => found !== '')
  return text === undefined ? { is: 'other' } : { is: 'text', text: plainText(text) }
}

function errorText(raw: unknown): string {
  const lines = listOf(member(raw, 'traceback')).filter((line) => typeof line === 'string')
  const [name, value] = [textOf(member(raw, 'ename')), textOf(member(raw, 'evalue'))]
  return plainText(lines.length > 0 ? lines.join('\n') : `${name}: ${value}`)
}

/** No colours, no control characters, no marks that turn text around; only so much of it. */
function plainText(text: string): string {
  const plain = text.slice(0, TEXT_CHARS).replace(/\n$/, '').split('\n').map(plainLine).join('\n')
  return text.length > TEXT_CHARS ? plain + CUT : plain
}

/** Notebooks write a text as one, or as a list of its lines. */
function textOf(raw: unknown): string {
  if (typeof raw === 'string') return raw
  return listOf(raw)
    .filter((line) => typeof line === 'string')
    .join('')
}

function listOf(raw: unknown): unknown[] {
  return Array.isArray(raw) ? raw : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null // half written, or no notebook: the caller says that it cannot be read
  }
}
