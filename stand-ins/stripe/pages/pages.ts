// Everything except API calls.
import { type Engine } from '../engine.ts'
import { type Faults } from '../faults.ts'
import { type Answer } from '../objects/payments.ts'
import { type Wallets } from '../wallets.ts'
import { browserBundle, SANDBOX_CSS } from './assets.ts'
import { control } from './control.ts'
import { operatorPage } from './operator.ts'
import { answerIntent, intentOfLink, redirectPage, returnAddress } from './redirects.ts'
import { htmlPage } from './html.ts'
import { json, type PageReply, type PageRequest } from './page-reply.ts'

const ANSWERS: readonly Answer[] = ['complete', 'complete_once', 'cancel', 'fail']

const file = (type: string, body: string, cache = 'no-cache'): PageReply => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': cache },
  body,
})

const answerOf = (choice: string | null): Answer => ANSWERS.find((one) => one === choice) ?? 'fail'

export class Pages {
  origin = ''
  private readonly engine: Engine
  private readonly faults: Faults
  private readonly wallets: Wallets

  constructor(engine: Engine, faults: Faults, wallets: Wallets) {
    this.engine = engine
    this.faults = faults
    this.wallets = wallets
  }

  async handle(request: PageRequest): Promise<PageReply> {
    const { method, path } = request
    if (path === '/_stripe/stripe.js' && method === 'GET')
      return file('text/javascript; charset=utf-8', await browserBundle('main'))
    if (path === '/_stripe/sandbox.css' && method === 'GET') return file('text/css; charset=utf-8', SANDBOX_CSS)
    if (path === '/_stripe/operator.js' && method === 'GET')
      return file('text/javascript; charset=utf-8', await browserBundle('operator'))
    if (path === '/_stripe/wallets' && method === 'GET') return json(200, { offered: this.wallets.offered })
    const redirect = /^\/_stripe\/(paypal|3ds)\/([a-zA-Z0-9_]+)$/.exec(path)
    if (redirect) return this.redirect(redirect[1] as 'paypal' | '3ds', redirect[2] ?? '', request)
    if (path === '/_stripe/answer' && method === 'POST') return this.answer(request)
    if (path === '/favicon.ico') return { status: 204, headers: {}, body: '' }
    if (path === '/' && method === 'GET') return operatorPage()
    if (path.startsWith('/_sandbox/')) return control(this.engine, this.faults, this.wallets, request)
    return json(404, {
      error: { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` },
    })
  }

  /** The buyer's click on a page of a bank or wallet. */
  private async redirect(kind: 'paypal' | '3ds', id: string, request: PageRequest): Promise<PageReply> {
    const posted = new URLSearchParams(request.body)
    const secret = (request.method === 'POST' ? posted : request.query).get('client_secret')
    const intent = intentOfLink(this.engine, id, secret)
    if (!intent)
      return { ...htmlPage('Not found', '<main class="card"><h1>This link is not valid</h1></main>'), status: 404 }
    if (request.method !== 'POST') return redirectPage(kind, intent, secret ?? '')
    const choice = posted.get('answer')
    const answered = await answerIntent(this.engine, id, answerOf(choice))
    const target = returnAddress(this.engine, answered, answered.status === 'succeeded')
    if (target === null)
      return htmlPage('Done', '<main class="card"><h1>Done</h1><p>You can close this page.</p></main>')
    return { status: 303, headers: { location: target, 'referrer-policy': 'no-referrer' }, body: '' }
  }

  /** The answer given in the stand-in's own dialog: `intent`, `client_secret`, `answer`. */
  private async answer(request: PageRequest): Promise<PageReply> {
    const posted = new URLSearchParams(request.body)
    const intent = intentOfLink(this.engine, posted.get('intent') ?? '', posted.get('client_secret'))
    if (!intent)
      return json(404, {
        error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such intent' },
      })
    const choice = posted.get('answer')
    const answered = await answerIntent(this.engine, intent.id, answerOf(choice))
    return json(200, { id: answered.id, object: answered.object, status: answered.status })
  }
}
