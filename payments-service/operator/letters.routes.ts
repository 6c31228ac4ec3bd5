import type { Request } from 'express'
import { sql } from 'kysely'
import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { setAside, setEventsAside } from '../jobs/given-up.queries.ts'
import { reviveAll } from '../queue/queue.ts'
import { type Action, fields, type Page } from './entry.ts'
import { lettersPage } from './letters.ts'

/** What was given up, which an operator sends again or sets aside: one by its id, or `all` of a kind. */
export function lettersRoutes(page: Page, action: Action, deps: Deps): void {
  const { db } = deps
  const chosen = (req: Request) => {
    const id = String(req.params['id'])
    if (id === 'all') return sql`kind = ${fields(req)['kind'] ?? ''}`
    if (UUID.test(id)) return sql`id = ${id}`
    throw new AppError('not_found')
  }
  const events = (req: Request) => {
    const id = String(req.params['id'])
    return id === 'all' ? sql`type = ${fields(req)['type'] ?? ''}` : sql`id = ${id}`
  }
  page('/operator/letters', 'Outgoing', '/operator/letters', ({ formToken: token }) => lettersPage(db, token))
  action('/operator/letters/:id/retry', async ({ req, res }) => {
    if ((await reviveAll(db, 'outbox', chosen(req))) === 0n) throw new AppError('not_found')
    deps.wake('outbox')
    res.redirect(303, '/operator/letters')
  })
  action('/operator/letters/:id/aside', async ({ req, res, operator }) => {
    if ((await setAside(db, chosen(req), operator.email)) === 0) throw new AppError('not_found')
    res.redirect(303, '/operator/letters')
  })
  action('/operator/events/:id/retry', async ({ req, res }) => {
    if ((await reviveAll(db, 'webhook_events', events(req))) === 0n) throw new AppError('not_found')
    deps.wake('inbox')
    res.redirect(303, '/operator/letters')
  })
  action('/operator/events/:id/aside', async ({ req, res, operator }) => {
    if ((await setEventsAside(db, events(req), operator.email)) === 0n) throw new AppError('not_found')
    res.redirect(303, '/operator/letters')
  })
}
