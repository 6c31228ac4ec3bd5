import type { InitialPaymentRequest } from '../../contract/api.ts'
import { termsOf } from '../../contract/terms.ts'
import type { Database } from '../../db/connect.ts'

/**
 * C-11, H-03: what stood beside the button and what was ticked, appended once per change. It counts with the payment it
 * belongs to. Amounts and dates are computed here from the same terms that the page showed.
 */
export async function recordEvidence(
  db: Database,
  sessionId: string,
  intent: { id: string; amount: number },
  request: Pick<InitialPaymentRequest, 'productId' | 'agreement' | 'marketingConsent' | 'marketing'>,
): Promise<void> {
  const { agreement, marketingConsent, marketing } = request
  if (agreement) {
    const terms = termsOf(request.productId, new Date())
    await db
      .insertInto('agreements')
      .values({
        session_id: sessionId,
        payment_intent_id: intent.id,
        words: agreement.words,
        version: agreement.version,
        page: agreement.page,
        amounts: JSON.stringify({
          productId: request.productId,
          amountNow: intent.amount,
          ...(terms
            ? {
                firstFullAmount: terms.firstCharge,
                firstFullDate: terms.firstChargeAt.toISOString(),
                periodDays: terms.everyDays,
              }
            : {}),
        }),
      })
      .onConflict((conflict) => conflict.columns(['payment_intent_id', 'version']).doNothing())
      .execute()
  }
  if (marketingConsent === undefined) return
  const last = await db
    .selectFrom('consents')
    .select('granted')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'marketing')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.granted === marketingConsent) return
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
      preticked: marketing?.preticked ?? false,
      country: known?.country ?? null,
      page: agreement?.page ?? 'checkout',
    })
    .execute()
}
