import type { Response } from 'express'

const STYLE =
  'body{margin:0;font:400 1.125rem/1.55 system-ui,sans-serif;color:#0b1b33}main{max-width:30rem;margin:0 auto;' +
  'padding:3rem 1rem}h1{font-size:1.75rem;line-height:1.2}button{min-height:3.5rem;width:100%;border:0;' +
  'border-radius:14px;background:#1a75ff;color:#fff;font:700 1.1875rem/1.25 system-ui,sans-serif}' +
  ':focus-visible{outline:3px solid #0b57d0;outline-offset:3px}'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** What a visitor typed, as text or inside an attribute in double quotes. */
export const typed = (text: string): string => text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark)

/**
 * A page for a person who followed a link or submitted a form to the service. `title`, `text` and `form` must be our
 * own words; what was typed goes through `typed`.
 */
export function sendPlainPage(res: Response, status: number, title: string, text: string, form = ''): void {
  res.setHeader('Content-Security-Policy', POLICY)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('X-Robots-Tag', 'noindex')
  res
    .status(status)
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,` +
        `initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>` +
        `<body><main><h1>${title}</h1><p>${text}</p>${form}<p><a href="/">To the start ` +
        `page</a></p></main></body></html>`,
    )
}
