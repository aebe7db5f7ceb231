/** What a page of Berth that stands alone is made of. `main` is HTML: whoever gives it has escaped what is not a constant. */
type PlainPage = { title: string; main: string; nonce: string; script?: string }

/**
 * A page outside the dashboard, on a host that has none of its files: it loads nothing, and looks like the rest of Berth in
 * the theme of the browser. `title` must be escaped too.
 */
export function plainPage({ title, main, nonce, script }: PlainPage): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><p class="mark">${MARK}Berth</p><div class="panel">
${main}
</div></main>${script ? `<script nonce="${nonce}">${script}</script>` : ''}</body></html>
`
}

const MARK =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 3v10.5A3.5 3.5 0 0 0 6.5 17h7a3.5 3.5 0 0 0 3.5-3.5V3" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round"/><rect x="7.5" y="3" width="5" height="9.5" rx="1.5" fill="currentColor"/></svg>'

/** The colours are those of `app/tokens.css`, written so that old browsers know them: this page is shown to them too. */
const STYLE = `
:root{color-scheme:light dark;--canvas:#f5f8f8;--surface:#fff;--sunken:#f1f4f6;--line:#dfe4e5;--control:#c7cdd0;--ink:#171f23;--dim:#485256;--teal:#006466;--link:#005d5e}
@media(prefers-color-scheme:dark){:root{--canvas:#0a0e10;--surface:#101516;--sunken:#0d1112;--line:#21282a;--control:#333b3e;--ink:#e8eced;--dim:#aeb6b9;--teal:#319e9c;--link:#63cfc9}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:16px;display:grid;grid-template-columns:minmax(0,28rem);place-content:center;background:var(--canvas);color:var(--dim);font:13px/20px Geist,system-ui,sans-serif}
.mark{display:flex;align-items:center;justify-content:center;gap:10px;margin:0 0 20px;color:var(--ink);font-size:15px;font-weight:600}
.mark svg{width:20px;height:20px;color:var(--teal)}
.panel{padding:20px;border:1px solid var(--line);border-radius:6px;background:var(--surface)}
h1{margin:0 0 4px;color:var(--ink);font-size:15px;line-height:24px;font-weight:600;overflow-wrap:anywhere}
p{margin:0 0 12px}p:last-child{margin:0}
a{color:var(--link);font-weight:500}
code,pre{color:var(--ink);font:12px/16px ui-monospace,monospace}
pre{margin:0 0 12px;padding:8px 10px;border:1px solid var(--control);border-radius:6px;background:var(--sunken);white-space:pre-wrap;overflow-wrap:anywhere}
button{min-height:32px;padding:0 12px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:var(--ink);font:inherit;font-weight:500}
@media(max-width:767px){button{min-height:40px;padding:0 16px}}
:focus-visible{outline:2px solid var(--teal);outline-offset:2px}
[hidden]{display:none}`
