/** The account: creation, sign-in, its address and its password. */
import { z } from 'zod'
import { done, emailText, productId, text } from './parts.ts'
import { subscriptionView } from './subscription.ts'
import { nextPage } from './visit.ts'

/** The password rules and their messages are in password.ts; only absurd lengths are refused here. */
const passwordText = z.string().max(10_000)
export const newPassword = { password: passwordText, passwordConfirmation: passwordText }

const createAccountRequest = z.object(newPassword)
export type CreateAccountRequest = z.infer<typeof createAccountRequest>
const createAccountResponse = z.strictObject({ userId: z.string(), nextPage })
export type CreateAccountResponse = z.infer<typeof createAccountResponse>

/**
 * `choosePassword`: signed in by mail for the first time; the old password, if any, is gone (see accounts/sign-in.ts).
 */
export const signedIn = z.strictObject({ done: z.literal(true), choosePassword: z.boolean() })
export type SignedIn = z.infer<typeof signedIn>

const emailRequest = z.object({ email: emailText })
/** The token of a mail's link: always in the body, because logs keep addresses. */
const token = text(500)
/** A mailed code, which may contain spaces when it is pasted. */
const code = text(20).transform((typed) => typed.replace(/\s/g, ''))

const accountView = z.strictObject({
  email: z.string(),
  name: z.string().nullable(),
  emailVerified: z.boolean(),
  /** False after the first sign-in by mail, until a password is chosen. */
  hasPassword: z.boolean(),
  /** Paid orders of other visits with this address; they join once the address is proved. */
  ordersToJoin: z.number().int(),
  programme: z.enum(['open', 'closed']),
  guides: z.array(productId),
  /** Readings that were bought, and the page that opens each. */
  readings: z.array(z.strictObject({ title: z.string(), url: z.string() })).optional(),
  listened: z.number().int(),
  /** Live ones first, then newest first; the first is the current one. */
  subscriptions: z.array(subscriptionView),
})
export type AccountView = z.infer<typeof accountView>

export const accountShapes = {
  createAccount: {
    summary: 'Create the account of a paid session (A-02)',
    request: createAccountRequest,
    answer: createAccountResponse,
  },
  signIn: {
    summary: 'Sign in',
    request: z.object({ email: emailText, password: passwordText }),
    answer: signedIn,
  },
  signOut: { summary: 'Sign out of this browser', answer: done },
  forgotPassword: {
    summary: 'Mail a link to choose a new password; the answer is the same for every address',
    request: emailRequest,
    answer: done,
  },
  resetPassword: {
    summary: 'Choose a new password with the token of a mail; every browser is signed out',
    request: z.object({ token, ...newPassword }),
    answer: done,
  },
  choosePassword: {
    summary: 'Choose a password where the account has none',
    request: createAccountRequest,
    answer: done,
  },
  requestMagicLink: {
    summary: 'Mail a link that signs in; the answer is the same for every address',
    request: emailRequest,
    answer: done,
  },
  useMagicLink: {
    summary: 'Sign in with the token of a mail, once',
    request: z.object({ token }),
    answer: signedIn,
  },
  standing: { summary: 'Whether somebody is signed in', answer: z.strictObject({ signedIn: z.boolean() }) },
  account: { summary: 'The account and what it may open', answer: accountView },
  sendJoinCode: { summary: 'Mail a code that proves the address (A-02)', answer: done },
  joinPurchases: {
    summary: 'Prove the address: paid orders of other visits join the account (A-02)',
    request: z.object({ code }),
    answer: accountView,
  },
  correctEmail: { summary: 'Mail a code to the right address (A-01)', request: emailRequest, answer: done },
  confirmEmail: {
    summary: 'Take the corrected address (A-01)',
    request: z.object({ email: emailText, code }),
    answer: done,
  },
}
