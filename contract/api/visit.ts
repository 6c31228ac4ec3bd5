/** A visit: its session, answers, addresses, and moving it to another browser. */
import { z } from 'zod'
import type { AttributionKey } from '../attribution.ts'
import { TRIAL_IDS } from '../catalogue.ts'
import { done, emailText, paymentMethodType, text } from './parts.ts'

/** Longer than a campaign name or a user agent: truncated when stored, accepted up to this length. */
const loose = text(2_000).exactOptional()

const attribution = z.object({
  utm_source: loose,
  utm_medium: loose,
  utm_campaign: loose,
  utm_content: loose,
  utm_term: loose,
  utm: loose,
  fbclid: loose,
} satisfies Record<AttributionKey, z.ZodType>)
export const touches = z.object({ first: attribution.exactOptional(), last: attribution.exactOptional() })

export const sessionMetadata = z.object({
  userAgent: loose,
  referrer: loose,
  deviceType: loose,
  browser: loose,
  os: loose,
  screenResolution: loose,
  timezone: loose,
  language: loose,
})
export type SessionMetadata = z.infer<typeof sessionMetadata>

const createSessionRequest = z.object({
  /**
   * Created once by the browser: the same key always gets the same session (D-03). A UUID, because a key with fewer
   * random bits could be guessed.
   */
  clientKey: z.guid(),
  landingUrl: text(4_000).exactOptional(),
  attribution: touches.exactOptional(),
  metadata: sessionMetadata.exactOptional(),
})
export type CreateSessionRequest = z.infer<typeof createSessionRequest>
const createSessionResponse = z.strictObject({ sessionId: z.uuid(), created: z.boolean() })
export type CreateSessionResponse = z.infer<typeof createSessionResponse>

/** Where a visit continues; other pages redirect the visitor there (C-02). */
export const nextPage = z.enum(['quiz', 'checkout', 'multi-upsell', 'user-creation', 'thank-you'])
export type NextPage = z.infer<typeof nextPage>

/** P-14: what was bought is given back, was paid once, or has ended: the next order is a new visit's. */
const over = z.literal(true).exactOptional()

const sessionView = z.strictObject({
  sessionId: z.uuid(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** Decimal dollars, as `quiz_answers.selectedPrice`. */
  selectedPrice: z.number().nullable(),
  trialId: z.enum(TRIAL_IDS),
  paymentStatus: z.enum(['unpaid', 'paid']),
  paymentMethodType: paymentMethodType.nullable(),
  hasCustomer: z.boolean(),
  upsellDone: z.boolean(),
  accountCreated: z.boolean(),
  nextPage,
  over,
})
export type SessionView = z.infer<typeof sessionView>

/** Longest answer, in bytes of UTF-8. */
const ANSWER_LENGTH = 2_048
const answerInput = z.object({
  /** A storage key of the quiz: not an enum, because editors may add questions. */
  questionId: z.string().regex(/^[A-Za-z][\w.-]{0,99}$/),
  /** Encoded according to Q-10. */
  answer: text(ANSWER_LENGTH).refine((value) => new TextEncoder().encode(value).length <= ANSWER_LENGTH, 'is too long'),
  /** When the visitor gave it, ISO 8601; the last one of a question wins. */
  answeredAt: z.iso.datetime({ offset: true }),
})
export type AnswerInput = z.infer<typeof answerInput>
const saveAnswersRequest = z.object({ answers: z.array(answerInput).max(100) })
export type SaveAnswersRequest = z.infer<typeof saveAnswersRequest>
const saveAnswersResponse = z.strictObject({ saved: z.number() })
const answersView = z.strictObject({
  answers: z.array(z.strictObject({ questionId: z.string(), answer: z.string(), answeredAt: z.string() })),
})
export type AnswersView = z.infer<typeof answersView>

const setEmailRequest = z.object({ email: emailText })
const setPriceRequest = z.object({ selectedPrice: z.number() })
const completeQuizRequest = z.object({
  /** Whole seconds from the first step to passing step 32. A tab may stay open for days, but not for a year. */
  seconds: z.number().int().min(0).max(31_536_000),
})

/** The code opens the session in one other browser, once, within ten minutes. */
const handoverResponse = z.strictObject({ code: z.string() })
/** A hand-over code, or the token of a mailed link. */
const openLinkRequest = z.object({ code: text(2_048).min(16) })
const openLinkResponse = z.strictObject({
  sessionId: z.uuid(),
  nextPage,
  /** The visit has an address that this browser did not give: it is asked for again before the visit continues. */
  askEmail: z.boolean(),
  over,
})
export type OpenLinkResponse = z.infer<typeof openLinkResponse>

export const visitShapes = {
  createSession: {
    summary: 'Create or find the session of a client key; sets the token cookie',
    request: createSessionRequest,
    answer: createSessionResponse,
  },
  session: { summary: 'The state of a session', answer: sessionView },
  saveAnswers: {
    summary: 'Save answers, last write of a question wins',
    request: saveAnswersRequest,
    answer: saveAnswersResponse,
  },
  answers: { summary: 'The saved answers', answer: answersView },
  setSessionEmail: { summary: 'Set the e-mail address of the session', request: setEmailRequest, answer: done },
  setPaymentsEmail: {
    summary: 'Set the e-mail address on payments of the session',
    request: setEmailRequest,
    answer: done,
  },
  setUsersEmail: { summary: 'Set the e-mail address on users of the session', request: setEmailRequest, answer: done },
  setPrice: { summary: 'Choose a trial price', request: setPriceRequest, answer: done },
  completeQuiz: { summary: 'The quiz was completed', request: completeQuizRequest, answer: done },
  handover: {
    summary: 'A single-use code that takes the session to another browser (C-17)',
    answer: handoverResponse,
  },
  resumeLink: {
    summary: 'Mail a link to the address of the session; answers the same whether there is one or not (C-02)',
    answer: done,
  },
  openLink: {
    summary: 'Open a session in this browser by a hand-over code or the link of a mail, once',
    request: openLinkRequest,
    answer: openLinkResponse,
  },
}
