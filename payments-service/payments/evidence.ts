import type { AgreementText, InitialPaymentRequest } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import type { Database } from '../../db/connect.ts'
import { isKept, lastChoice } from '../sessions/consents.queries.ts'
import { addAgreement } from './intents.queries.ts'

/**
 * H-03: records the agreement to an order as its page showed it (words, figures and day), checked against the true
 * figures beforehand (shown.ts) and never recomputed. Any change adds a row; the open intent, and later its payment,
 * refer to the row they were made under. `firstFullAt`: the moment within the shown day at which we charge. Written
 * before the page gets the secret of the intent.
 */
export async function recordAgreement(
  db: Database,
  sessionId: string,
  intentId: string,
  order: { productId: ProductId; terms: ShownTerms; firstFullAt: Date | undefined; agreement: AgreementText },
): Promise<void> {
  const { productId, terms, firstFullAt, agreement } = order
  const { firstFull, timeZone } = terms
  const amounts = {
    productId,
    amountNow: terms.now,
    ...(firstFull
      ? {
          firstFullAmount: firstFull.amount,
          firstFullDay: firstFull.on,
          periodDays: firstFull.everyDays,
          timeZone,
        }
      : {}),
  }
  await addAgreement(db, {
    sessionId,
    intentId,
    ...agreement,
    amounts: { ...amounts, firstFullDate: firstFullAt?.toISOString() },
  })
}

/**
 * C-11: records the marketing tick beside the order, one row per change; a tick by hand of a box that was ticked in
 * advance is one (wantsOffers). It counts with the payment it belongs to.
 */
export async function recordMarketing(
  db: Database,
  sessionId: string,
  request: Pick<InitialPaymentRequest, 'agreement' | 'marketingConsent' | 'marketing'>,
): Promise<void> {
  const { agreement, marketingConsent, marketing } = request
  if (marketingConsent === undefined) return
  const last = await lastChoice(db, sessionId, 'marketing')
  const preticked = marketing?.preticked ?? false
  if (last?.granted === marketingConsent && last.preticked === preticked) return
  if (!(await isKept(db, { sessionId, kind: 'marketing', granted: marketingConsent }, last))) return
  const known = await db
    .selectFrom('session_metadata')
    .select('country')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  await db
    .insertInto('consents')
    .values({
      session_id: sessionId,
      kind: 'marketing',
      granted: marketingConsent,
      wording: marketing?.wording ?? '',
      wording_version: marketing?.version ?? null,
      preticked,
      country: known?.country ?? null,
      page: agreement.page,
    })
    .execute()
}
