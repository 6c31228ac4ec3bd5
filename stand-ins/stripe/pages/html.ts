import { escapeHtml } from '../../html.ts'

/** A whole page with the sandbox's style sheet and a strict policy. `base`: where its files are served. */
export function htmlPage(
  title: string,
  body: string,
  options: { script?: string } = {},
): { status: number; headers: Record<string, string>; body: string } {
  const script = options.script ? `<script src="${options.script}" defer></script>` : ''
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ` +
      `content="width=device-width, initial-scale=1"><meta name="robots" ` +
      `content="noindex"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><link ` +
      `rel="stylesheet" href="/_stripe/sandbox.css">${script}</head><body>${body}</body></html>`,
  }
}
