/**
 * The local mailbox: accepts every mail by SMTP and shows it, so that nothing leaves this machine (dev, tests, demo).
 * `node stand-ins/mailbox/mailbox.ts` with PORT (the page; 4280), SMTP_PORT (0 = any), MAILBOX_DATA (a folder) and HOST
 * (127.0.0.1). Prints one line of JSON with its addresses when it is ready.
 */
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { ownNamesOnly } from '../../contract/listener.ts'
import { listPage, messagePage, notFoundPage, SCRIPT, STYLE } from './pages.ts'
import { MailStore, type Filter } from './store.ts'

export interface MailboxOptions {
  port: number
  smtpPort: number
  folder: string
  host?: string
}

export interface Mailbox {
  /** The page. */
  url: string
  /** The value for SMTP_URL. */
  smtpUrl: string
  store: MailStore
  stop(): Promise<void>
}

const LARGEST = 10 * 1024 * 1024
const LONGEST_WAIT = 30_000

/** Starts both servers. Rejects when a port is taken. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const host = options.host ?? '127.0.0.1'
  await mkdir(options.folder, { recursive: true })
  const store = new MailStore(options.folder)
  const smtp = smtpServer(store)
  const http = createServer(ownNamesOnly((request, response) => answer(store, request, response)))
  const smtpPort = await listen(smtp.server as unknown as Server, options.smtpPort, host)
  const port = await listen(http, options.port, host).catch((error: unknown) => {
    smtp.close()
    throw error
  })
  return {
    url: `http://${host}:${port}`,
    smtpUrl: `smtp://${host}:${smtpPort}`,
    store,
    async stop() {
      http.closeAllConnections()
      await Promise.all([
        new Promise<void>((done) => http.close(() => done())),
        new Promise<void>((done) => smtp.close(done)),
      ])
    },
  }
}

function smtpServer(store: MailStore): SMTPServer {
  const server = new SMTPServer({
    name: 'mailbox.local',
    size: LARGEST,
    // senders keep idle connections: stopping does not wait for them
    closeTimeout: 500,
    // no certificate here that a client would trust; any name and password is accepted
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'local' }),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('error', done)
      stream.once('end', () => {
        if (stream.sizeExceeded) {
          done(Object.assign(new Error('The message is too large'), { responseCode: 552 }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        store
          .add(Buffer.concat(chunks), {
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
          })
          .then(
            (id) => done(null, `kept as ${id}`),
            () => done(Object.assign(new Error('The mail could not be kept'), { responseCode: 451 })),
          )
      })
    },
  })
  // a client that hangs up must not crash the server
  server.on('error', () => undefined)
  return server
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      server.removeListener('error', fail)
      done((server.address() as AddressInfo).port)
    })
  })
}

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
/** A mail is a foreign document: no scripts, no forms, nothing loaded, a separate origin; links open a new tab. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
  "img-src data:; frame-ancestors 'self'"

async function answer(store: MailStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [pathname = '/'] = (request.url ?? '/').split('?', 1)
  const query = new URLSearchParams(request.url?.slice(pathname.length))
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  const send = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    response.writeHead(status, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': POLICY,
      ...headers,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const json = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body))
  const html = (status: number, body: string) => send(status, 'text/html; charset=utf-8', body)

  if (method === 'POST' || method === 'DELETE') {
    // a page of another site may not empty the mailbox
    const site = request.headers['sec-fetch-site']
    if (site && site !== 'same-origin' && site !== 'none') return json(403, { error: 'forbidden' })
    if (method === 'POST' && pathname === '/delete-all') {
      await store.clear()
      return send(303, 'text/plain', '', { Location: '/' })
    }
    if (method === 'DELETE' && pathname === '/api/messages') return json(200, { deleted: await store.clear() })
    return json(404, { error: 'not_found' })
  }
  if (method !== 'GET') return send(405, 'text/plain', 'Not allowed', { Allow: 'GET, HEAD, POST, DELETE' })

  if (pathname === '/') {
    return html(200, listPage(await store.list(filterOf(query)), query.get('query') ?? ''))
  }
  if (pathname === '/healthz') return json(200, { status: 'ok' })
  if (pathname === '/mailbox.css') return send(200, 'text/css; charset=utf-8', STYLE)
  if (pathname === '/mailbox.js') return send(200, 'text/javascript; charset=utf-8', SCRIPT)
  if (pathname === '/api/messages') return json(200, { messages: await waitFor(store, query) })

  const [, prefix, id = '', part] = /^\/(api\/messages|messages)\/([\w-]+)(?:\/(html|raw))?$/.exec(pathname) ?? []
  const message = prefix ? await store.get(id) : undefined
  if (prefix === 'api/messages' && !part) return message ? json(200, message) : json(404, { error: 'not_found' })
  if (!message) return html(404, notFoundPage())
  if (part === 'raw') {
    return send(200, 'message/rfc822', (await store.raw(id)) ?? '', {
      'Content-Disposition': `attachment; filename="${id}.eml"`,
    })
  }
  if (part === 'html') {
    return send(200, 'text/html; charset=utf-8', message.html ?? '', { 'Content-Security-Policy': MAIL_POLICY })
  }
  return html(200, messagePage(message))
}

function filterOf(search: URLSearchParams): Filter {
  const { to, kind, query } = Object.fromEntries(search)
  return { ...(to ? { to } : {}), ...(kind ? { kind } : {}), ...(query ? { query } : {}) }
}

/** `?wait=5000` answers as soon as something matches, or empty when the time is up: tests need no polling. */
async function waitFor(store: MailStore, query: URLSearchParams) {
  const wait = Math.min(LONGEST_WAIT, Number(query.get('wait')) || 0)
  const until = Date.now() + wait
  const filter = filterOf(query)
  for (;;) {
    const messages = await store.list(filter)
    const left = until - Date.now()
    if (messages.length > 0 || left <= 0) return messages
    // a mail may arrive between the list and this wait: check again soon in any case
    await store.next(Math.min(left, 250))
  }
}

async function main(): Promise<void> {
  const env = process.env
  if (env['NODE_ENV'] === 'production') {
    console.error(
      'The local mailbox is for development, tests and demos: NODE_ENV=production refuses it. Set SMTP_URL.',
    )
    process.exit(2)
  }
  const port = Number(env['PORT'] ?? 4280)
  const smtpPort = Number(env['SMTP_PORT'] ?? 0)
  const bad = [port, smtpPort].some((number) => !Number.isInteger(number) || number < 0 || number > 65_535)
  const folder = env['MAILBOX_DATA']
  if (bad || !folder) {
    console.error('Needs PORT and SMTP_PORT as numbers and MAILBOX_DATA as the folder of the mails.')
    process.exit(2)
  }
  let mailbox: Mailbox
  try {
    mailbox = await startMailbox({ port, smtpPort, folder, ...(env['HOST'] ? { host: env['HOST'] } : {}) })
  } catch (error) {
    console.error(`The mailbox could not start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
  const end = () => void mailbox.stop().then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  // last: a reader of this line may stop us at once
  console.log(JSON.stringify({ mailbox: mailbox.url, smtp: mailbox.smtpUrl }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
