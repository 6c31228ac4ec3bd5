/** Serves one folder as a single-page application: `PORT=3333 node scripts/serve-folder.ts studio/dist`. */
import { createServer } from 'node:http'
import sirv from 'sirv'

const folder = process.argv[2] ?? '.'
const serve = sirv(folder, { single: true, etag: true })
const server = createServer((request, response) => serve(request, response))
server.listen(Number(process.env['PORT'] ?? 3333), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
