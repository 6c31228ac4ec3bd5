/** Starts the lake: first the port (asset addresses contain it), then the data, then the seed. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Socket } from 'node:net'
import { KEEP_ALIVE, ownNamesOnly } from '../../contract/listener.ts'
import { publishOnTime } from './data.ts'
import { Lake } from './lake.ts'
import { handle } from './routes.ts'
import { seedDataset, type SeedOutcome } from './seed.ts'

export type LakeOptions = {
  /** 0 picks a free one. */
  port?: number
  host?: string
  /** Folder for everything stored. Created when missing. */
  dataDir: string
  /** NDJSON file, or a folder with *.ndjson and assets/. */
  seed?: string | undefined
  projectId?: string
  dataset?: string
  /** Reads and writes everything. Without one only the Studio on this machine does. */
  token?: string | undefined
  /** Origins that count as the Studio; empty: every page on this machine. */
  studioOrigins?: readonly string[]
  /** The address at which other programs reach the lake, if not `http://127.0.0.1:<port>`. */
  publicUrl?: string | undefined
  log?: (line: string) => void
}

export type RunningLake = { url: string; port: number; seeded: SeedOutcome | null; close: () => Promise<void> }

/** Resolves when the lake is ready. `close` ends event streams, completes pending writes and frees the port. */
export async function startLake(options: LakeOptions): Promise<RunningLake> {
  const log = options.log ?? (() => {})
  const rules = { token: options.token || null, studioOrigins: options.studioOrigins ?? [] }
  let lake: Lake | null = null
  const names = options.publicUrl ? [new URL(options.publicUrl).hostname] : []
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: KEEP_ALIVE, maxHeaderSize: 64 * 1024 },
    ownNamesOnly((req, res) => handle(lake, rules, req, res), names),
  )
  const sockets = new Set<Socket>()
  server.on('upgrade', (req, socket) => holdPresence(req.headers['sec-websocket-key'], socket as Socket, sockets))
  server.on('clientError', (_cause, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  try {
    const { port } = server.address() as AddressInfo
    const url = options.publicUrl ?? `http://127.0.0.1:${port}`
    const opened = await Lake.open(options.projectId ?? 'local0001', options.dataDir, url)
    const seeded = await prepare(opened, options, log).catch(async (cause: unknown) => {
      await opened.close()
      throw cause
    })
    lake = opened
    const onTime = setInterval(() => void publishDueReleases(opened), SCHEDULE_MS)
    await publishDueReleases(opened)
    return {
      url,
      port,
      seeded,
      close: () => {
        clearInterval(onTime)
        return stop(server, sockets, opened)
      },
    }
  } catch (cause) {
    server.close()
    throw cause
  }
}

async function prepare(lake: Lake, options: LakeOptions, log: (line: string) => void): Promise<SeedOutcome | null> {
  const dataset = await lake.create(options.dataset ?? 'production')
  if (!options.seed) return null
  const seeded = await seedDataset(dataset, options.seed, lake.place(dataset.name))
  log(`lake: seed ${SEED_WORDS[seeded]} (${dataset.size} documents)`)
  return seeded
}

const SCHEDULE_MS = 1_000

async function publishDueReleases(lake: Lake): Promise<void> {
  for (const name of lake.names()) {
    await publishOnTime(lake.dataset(name)).catch((cause: unknown) =>
      console.error('lake: a scheduled release was not published', cause),
    )
  }
}

const SEED_WORDS: Record<SeedOutcome, string> = {
  imported: 'imported',
  renewed: 'had changed and nobody had edited: imported anew',
  unchanged: 'unchanged',
  'kept-edits':
    'differs from what is stored, but somebody has edited: the stored content stays (delete the data folder ' +
    'to start over)',
}

async function stop(server: Server, sockets: Set<Socket>, lake: Lake): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  for (const socket of sockets) socket.destroy()
  // Event streams never end by themselves; requests in progress get a moment.
  const timer = setTimeout(() => server.closeAllConnections(), 500)
  await closed
  clearTimeout(timer)
  await lake.close()
}

/** The Studio's presence socket would retry endlessly if refused: it is accepted and stays silent. */
function holdPresence(key: string | undefined, socket: Socket, sockets: Set<Socket>): void {
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
  if (!key) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  sockets.add(socket)
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ` +
      `${accept}\r\n\r\n`,
  )
  socket.resume()
}
