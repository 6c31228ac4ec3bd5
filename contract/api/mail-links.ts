/** Links in mails, handled without a sign-in (H-04). */
import { z } from 'zod'
import { newPassword, signedIn } from './account.ts'
import { cents, done, text } from './parts.ts'
import {
  cardSaved,
  cardSetup,
  invoiceView,
  moneyBackRequestView,
  owedPayment,
  savedCard,
  subscriptionView,
} from './subscription.ts'

/** The token of a mail's link: always in the body, because logs keep addresses. */
const token = text(2_048)
const linkRequest = z.object({ token })

/** What a mailed link is about, shown before anything is done (H-04: never a bare link action). */
const linkView = z.strictObject({
  state: z.enum(['valid', 'expired', 'invalid', 'done']),
  /** ad•••@example.org: enough for the owner to recognise it. Null where the reader may be another person. */
  email: z.string().nullable(),
  subscription: subscriptionView.nullable(),
  /** The refund it would give (withdrawal). */
  amount: cents.nullable(),
  /** Whether that withdrawal leaves the subscription as it is. */
  keepsSubscription: z.boolean(),
  /** The withdrawal that was asked for last. */
  withdrawal: moneyBackRequestView.nullable(),
  invoice: invoiceView.nullable(),
})
export type LinkView = z.infer<typeof linkView>

export const mailLinkShapes = {
  link: { summary: 'What a link of a mail is about; changes nothing', request: linkRequest, answer: linkView },
  freshLink: { summary: 'Mail a fresh link for an expired one', request: linkRequest, answer: done },
  cancelByLink: { summary: 'Cancel with the link of a mail (H-04)', request: linkRequest, answer: linkView },
  keepByLink: { summary: 'Take a cancellation back by link', request: linkRequest, answer: linkView },
  withdrawByLink: { summary: 'Withdraw by link (H-02)', request: linkRequest, answer: linkView },
  setUpCardByLink: {
    summary: 'A set-up to save another card, with the link of a mail',
    request: linkRequest,
    answer: cardSetup,
  },
  saveCardByLink: {
    summary: 'Charge this card from now on, with the link of a mail',
    request: z.object({ token, ...savedCard.shape }),
    answer: cardSaved,
  },
  payOwedByLink: {
    summary: 'Pay what is owed with the method on file, with the link of a mail',
    request: z.object({ token, ...owedPayment.shape }),
    answer: cardSaved,
  },
  createAccountByLink: {
    summary: 'Create the account with the link of the confirmation mail, in any browser (A-02)',
    request: z.object({ token, ...newPassword }),
    answer: signedIn,
  },
}
