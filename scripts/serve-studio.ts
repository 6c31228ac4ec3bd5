/**
 * Serves the built Studio and tells it where the content lake, the preview and the site are: the build knows no port.
 * `PORT=3333 STUDIO_API_HOST=… STUDIO_PREVIEW_URL=… node scripts/serve-studio.ts FOLDER`
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ownNamesOnly } from '../contract/listener.ts'
import { staticFiles } from '../src/site/static-files.ts'

const folder = process.argv[2] ?? '.'
const { PORT = '3333', STUDIO_API_HOST: apiHost, STUDIO_PREVIEW_URL: previewUrl } = process.env
const { STUDIO_SITE_URL: siteUrl, STUDIO_PUBLISHER_URL: publisherUrl } = process.env
const addresses = JSON.stringify({ apiHost, previewUrl, siteUrl, publisherUrl }).replaceAll('<', '\\u003c')
/**
 * Sanity checks a document in the browser's idle moments and waits for them without end. On a busy computer none may
 * come: faults stay unnamed, and a broken quiz can be published (K-05). Sanity keeps the function it finds when it is
 * loaded, so the limit has to be there before.
 */
const idleLimit = `window.requestIdleCallback &&= ((request) => (callback, options) =>
  request(callback, { timeout: 200, ...options }))(requestIdleCallback.bind(window))`
const serve = staticFiles(folder, { etag: true })
const answer = (request: IncomingMessage, response: ServerResponse): void => {
  // every path that is not a file belongs to the Studio's own router; its page learns the addresses
  // (studio/environment.ts reads them)
  const page = () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' })
    const script = `<script>window.__STUDIO__=${addresses};${idleLimit}</script>`
    response.end(html.replace(/<head[^>]*>/, (head) => head + script))
  }
  if (/^\/(index\.html)?(\?|$)/.test(request.url ?? '/')) page()
  else serve(request, response, page)
}
const server = createServer(ownNamesOnly(answer))
server.listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
