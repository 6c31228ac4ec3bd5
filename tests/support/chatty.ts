/** Logs one line of half a kilobyte per request and answers with their count; ends by SIGTERM as the service does. */
import { createServer } from 'node:http'
import { createLog } from '../../payments-service/http/logging.ts'

const log = createLog('info')
let asked = 0
const server = createServer((_, response) => {
  log.info({ asked: ++asked, padding: 'x'.repeat(500) }, 'asked')
  response.end(String(asked))
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('SIGTERM', () => process.exit(0))
