import { cn } from '@/components/ui/cn'
import type { Cell, Notebook, Output } from './read-notebook'

/** A notebook as it was saved: its text, its code and what that put out. Nothing of it runs, and nothing is fetched for it. */
export function NotebookCells({ notebook }: { notebook: Notebook }) {
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      {notebook.cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a saved notebook does not change; another one is another list
        <CellView key={index} cell={cell} />
      ))}
      {notebook.isWhole ? null : <Note>There is more in this notebook than is shown here; JupyterLab shows all of it.</Note>}
    </div>
  )
}

function CellView({ cell }: { cell: Cell }) {
  const { is, source, count, outputs } = cell
  if (is === 'text') return source === '' ? null : <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{source}</p>
  return (
    <div className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2">
      <span className="pt-2 text-right font-mono text-small text-ink-3">{count === null ? '[ ]' : `[${count}]`}</span>
      <pre className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
        {source}
      </pre>
      <div className="col-start-2 flex min-w-0 flex-col">
        {outputs.map((output, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <OutputView key={index} output={output} />
        ))}
      </div>
    </div>
  )
}

function OutputView({ output }: { output: Output }) {
  if (output.is === 'other') return <Note>An output of another kind is shown only in JupyterLab.</Note>
  if (output.is === 'image') {
    const { src, width, height } = output.image
    // biome-ignore lint/performance/noImgElement: its bytes are in the page already
    return <img src={src} width={width} height={height} alt="Output" className="mt-2 h-auto max-w-full rounded-sm bg-white" />
  }
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
      tabIndex={0}
      className={cn(
        'max-h-160 overflow-auto px-3 py-2 font-mono text-small focus-visible:-outline-offset-2',
        output.is === 'error' ? 'mt-2 rounded-md bg-bad-soft text-ink' : 'text-ink-2',
      )}
    >
      {output.text}
    </pre>
  )
}

function Note({ children }: { children: string }) {
  return <p className="px-3 py-1 text-small text-ink-3">{children}</p>
}
