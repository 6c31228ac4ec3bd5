import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { CardView } from '../../contract/api/subscription.ts'
import type { SubscriptionView } from '../../contract/members.ts'
import { NewCardForm } from './NewCardForm.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'

vi.mock(import('../payment/useCardForm.ts'), () => ({ useCardForm: () => ({}) }) as never)
vi.mock(import('../payment/CardForm.tsx'), () => ({ CardForm: 'form', CardDetails: 'div' }) as never)

const CARD: CardView = { type: 'card', brand: 'visa', last4: '4242', expires: '12/30' }
const view = (paidWith: CardView, owed: number | null = null) =>
  ({ id: 'sub', state: 'active', paidWith, owed, nextCharge: null, price: null }) as unknown as SubscriptionView
const never = () => Promise.reject(new Error('not asked'))

test('A-05 whoever pays by PayPal is offered a card, and only whoever pays by card another one', () => {
  const offered = (paidWith: CardView) =>
    renderToStaticMarkup(
      <>
        <SubscriptionCard
          subscription={view(paidWith)}
          cardHref="/app/card"
          cancel={never}
          keep={never}
          onChange={never}
        />
        <NewCardForm subscription={view(paidWith, 3900)} setUp={never} save={never} onDone={() => undefined} />
      </>,
    )
  expect(offered(CARD)).toMatch(/Use another card.*With another card/)
  expect(offered({ type: 'paypal' })).toMatch(/Use a card.*With a card/)
})
