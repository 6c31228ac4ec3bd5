import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { askForMail } from '../jobs/asked-mails.ts'
import { openFrom, rotateToken, type Session } from './access.ts'
import { makeHandover, openLink } from './handover.ts'
import { keepAddress } from './keep-address.ts'
import {
  choosePrice,
  createSession,
  readNextPage,
  requireEmail,
  saveAnswers,
  viewAnswers,
  viewSession,
} from './sessions.ts'
import { findProgress, updateSession } from './sessions.queries.ts'
import { setTokenCookie } from './token.ts'

/** After the payment mails and receipts go to the address: it changes by a code to the new one only. */
function requireUnpaid(session: Session): void {
  if (session.payment_status !== 'unpaid') throw alreadyPaid()
}

const alreadyPaid = () => new AppError('already_paid', { field: 'email' })

export function sessionRoutes(table: RouteTable, deps: Deps): void {
  const visit = 'visit' as const

  route(table, 'createSession', 'session', (call) => createSession(deps, call.req, call.res, call.body))

  route(table, 'session', visit, async (call) => viewSession(deps, call.req, await openFrom(deps, call)))

  route(table, 'saveAnswers', visit, async (call) => {
    return { saved: await saveAnswers(deps, call.req, call.params['sessionId'] ?? '', call.body) }
  })

  route(table, 'answers', visit, async (call) => {
    const { session } = await openFrom(deps, call)
    return viewAnswers(deps, session.id)
  })

  route(table, 'setSessionEmail', visit, async (call) => {
    const open = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    // typed again in a browser that took the visit over: the other browsers are signed out
    if (email === open.session.email && open.kind !== 'handover') return DONE
    requireUnpaid(open.session)
    if (!(await keepAddress(deps, open.session, { email }))) throw alreadyPaid()
    await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })

  route(table, 'setPaymentsEmail', visit, async (call) => {
    const { session } = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    requireUnpaid(session)
    await deps.db.updateTable('payments').set({ customer_email: email }).where('session_id', '=', session.id).execute()
    return DONE
  })

  route(table, 'setUsersEmail', visit, async (call) => {
    const { session } = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    requireUnpaid(session)
    // an account's address is changed by its owner, by mail, never from a quiz
    await deps.db
      .updateTable('users')
      .set({ email })
      .where('session_id', '=', session.id)
      .where('auth_user_id', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('users as other')
              .select('other.id')
              .where(sql`lower(other.email)`, '=', emailKey(email)),
          ),
        ),
      )
      .execute()
    return DONE
  })

  route(table, 'setPrice', visit, async (call) => {
    const { session } = await openFrom(deps, call)
    await choosePrice(deps, session.id, call.body.selectedPrice)
    return DONE
  })

  route(table, 'handover', 'link', async (call) => ({
    code: await makeHandover(deps, await openFrom(deps, call)),
  }))

  route(table, 'resumeLink', 'link', async (call) => {
    await askForMail(deps, 'resume_link', call.params['sessionId'] ?? '')
    return DONE
  })

  route(table, 'openLink', 'link', async (call) => {
    const { sessionId, token, askEmail } = await openLink(deps, call.body.code)
    setTokenCookie(deps.config, call.req, call.res, sessionId, token)
    const { over } = await findProgress(deps.db, sessionId)
    const nextPage = await readNextPage(deps, call.req, sessionId)
    return { sessionId, nextPage, askEmail, ...(over ? { over } : {}) }
  })

  route(table, 'completeQuiz', visit, async (call) => {
    const { session } = await openFrom(deps, call)
    // only the first completion counts
    if (!session.quiz_completed_at) {
      await updateSession(deps.db, session.id, {
        quiz_completed_at: new Date(),
        quiz_completion_time: call.body.seconds,
      })
    }
    return DONE
  })
}
