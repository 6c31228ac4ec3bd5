import { sql } from 'kysely'
import { z } from 'zod'
import type {
  AnswersView,
  CompleteQuizRequest,
  CreateSessionRequest,
  CreateSessionResponse,
  HandoverResponse,
  OpenLinkRequest,
  OpenLinkResponse,
  SaveAnswersRequest,
  SaveAnswersResponse,
  SessionMetadata,
  SessionView,
  SetEmailRequest,
  SetPriceRequest,
} from '../../contract/api.ts'
import { TRIAL_IDS } from '../../contract/catalogue.ts'
import { emailKey } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { done, text } from '../http/schemas.ts'
import { askForMail } from '../jobs/asked-mails.ts'
import { openFrom, rotateToken, type Session } from './access.ts'
import { ANSWER_LENGTH } from './answers.queries.ts'
import { makeHandover, openLink } from './handover.ts'
import {
  choosePrice,
  createSession,
  readNextPage,
  requireEmail,
  saveAnswers,
  viewAnswers,
  viewSession,
} from './sessions.ts'
import { updateSession } from './sessions.queries.ts'
import { enqueueConversion } from '../jobs/conversions.ts'
import { attribution, metadata, nextPage } from './schemas.ts'
import { setTokenCookie } from './token.ts'

const createSessionBody: z.ZodType<CreateSessionRequest> = z.object({
  // a UUID: a key of fewer random bits could be guessed
  clientKey: z.guid(),
  landingUrl: text(4_000).exactOptional(),
  attribution: z.object({ first: attribution.optional(), last: attribution.optional() }).exactOptional() as z.ZodType<
    Exclude<CreateSessionRequest['attribution'], undefined>
  >,
  metadata: metadata.optional() as z.ZodType<SessionMetadata>,
})

const answer = z.object({ questionId: z.string(), answer: z.string(), answeredAt: z.string() })
/** A storage key of the quiz: editors add questions as they like, so the names are not a list. */
const questionId = z.string().regex(/^[A-Za-z][\w.-]{0,99}$/)
const answerInput = z.object({
  questionId,
  answer: text(ANSWER_LENGTH).refine((value) => Buffer.byteLength(value) <= ANSWER_LENGTH, 'is too long'),
  answeredAt: z.iso.datetime({ offset: true }),
})
const saveAnswersBody: z.ZodType<SaveAnswersRequest> = z.object({ answers: z.array(answerInput).max(100) })
const emailBody: z.ZodType<SetEmailRequest> = z.object({ email: text(400) })
const priceBody: z.ZodType<SetPriceRequest> = z.object({ selectedPrice: z.number() })
/** A tab may stay open for days; a year is no quiz any more. */
const completeBody: z.ZodType<CompleteQuizRequest> = z.object({ seconds: z.number().int().min(0).max(31_536_000) })

const sessionAnswer: z.ZodType<CreateSessionResponse> = z.object({ sessionId: z.uuid(), created: z.boolean() })
const savedAnswer: z.ZodType<SaveAnswersResponse> = z.object({ saved: z.number() })
const answersView: z.ZodType<AnswersView> = z.object({ answers: z.array(answer) })
const handoverAnswer: z.ZodType<HandoverResponse> = z.object({ code: z.string() })
const openLinkBody: z.ZodType<OpenLinkRequest> = z.object({ code: text(2_048).min(16) })
const openLinkAnswer: z.ZodType<OpenLinkResponse> = z.object({ sessionId: z.uuid(), nextPage, askEmail: z.boolean() })
const sessionView: z.ZodType<SessionView> = z.object({
  sessionId: z.uuid(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  selectedPrice: z.number().nullable(),
  trialId: z.enum(TRIAL_IDS),
  paymentStatus: z.enum(['unpaid', 'paid']),
  paymentMethodType: z.enum(['card', 'paypal']).nullable(),
  hasCustomer: z.boolean(),
  upsellDone: z.boolean(),
  accountCreated: z.boolean(),
  nextPage,
})

/** After the payment mails and receipts go to the address: it changes by a code to the new one only. */
function requireUnpaid(session: Session): void {
  if (session.payment_status !== 'unpaid') throw new AppError('already_paid', { field: 'email' })
}

export function sessionRoutes(table: RouteTable, deps: Deps): void {
  const visit = 'visit' as const

  route(table, 'createSession', { body: createSessionBody, answer: sessionAnswer, limit: 'session' }, (call) =>
    createSession(deps, call.req, call.res, call.body),
  )

  route(table, 'session', { body: undefined, answer: sessionView, limit: visit }, async (call) =>
    viewSession(deps, await openFrom(deps, call)),
  )

  route(table, 'saveAnswers', { body: saveAnswersBody, answer: savedAnswer, limit: visit }, async (call) => {
    return { saved: await saveAnswers(deps, call.req, call.params['sessionId'] ?? '', call.body) }
  })

  route(table, 'answers', { body: undefined, answer: answersView, limit: visit }, async (call) => {
    const { session } = await openFrom(deps, call)
    return viewAnswers(deps, session.id)
  })

  route(table, 'setSessionEmail', { body: emailBody, answer: done, limit: visit }, async (call) => {
    const open = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    // typed anew by whoever took the visit over from another browser: that one is out
    if (email === open.session.email && open.kind !== 'handover') return DONE
    requireUnpaid(open.session)
    await deps.db.transaction().execute(async (tx) => {
      await updateSession(tx, open.session.id, { email })
      // T-03: Lead = an address was given, once a session
      await enqueueConversion(tx, 'Lead', open.session.id, open.session.id)
    })
    deps.wake('outbox')
    await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })

  route(table, 'setPaymentsEmail', { body: emailBody, answer: done, limit: visit }, async (call) => {
    const { session } = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    requireUnpaid(session)
    await deps.db.updateTable('payments').set({ customer_email: email }).where('session_id', '=', session.id).execute()
    return DONE
  })

  route(table, 'setUsersEmail', { body: emailBody, answer: done, limit: visit }, async (call) => {
    const { session } = await openFrom(deps, call)
    const email = requireEmail(call.body.email)
    requireUnpaid(session)
    // an address that signs in is changed by its owner, by mail, never from a quiz
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

  route(table, 'setPrice', { body: priceBody, answer: done, limit: visit }, async (call) => {
    const { session } = await openFrom(deps, call)
    await choosePrice(deps, session.id, call.body.selectedPrice)
    return DONE
  })

  route(table, 'handover', { body: undefined, answer: handoverAnswer, limit: 'link' }, async (call) => ({
    code: await makeHandover(deps, await openFrom(deps, call)),
  }))

  route(table, 'resumeLink', { body: undefined, answer: done, limit: 'link' }, async (call) => {
    await askForMail(deps, 'resume_link', call.params['sessionId'] ?? '')
    return DONE
  })

  route(table, 'openLink', { body: openLinkBody, answer: openLinkAnswer, limit: 'link' }, async (call) => {
    const { sessionId, token, askEmail } = await openLink(deps, call.body.code)
    setTokenCookie(deps.config, call.req, call.res, sessionId, token)
    return { sessionId, nextPage: await readNextPage(deps, sessionId), askEmail }
  })

  route(table, 'completeQuiz', { body: completeBody, answer: done, limit: visit }, async (call) => {
    const { session } = await openFrom(deps, call)
    // the first completion counts; a second walk through the quiz does not change it
    if (!session.quiz_completed_at) {
      await updateSession(deps.db, session.id, {
        quiz_completed_at: new Date(),
        quiz_completion_time: call.body.seconds,
      })
    }
    return DONE
  })
}
