import type { ExpressCheckoutElementProps } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Wallets } from './Wallets.tsx'

const made = vi.hoisted(() => vi.fn<(props: ExpressCheckoutElementProps) => null>(() => null))
vi.mock('@stripe/react-stripe-js', async (actual) => ({
  ...(await actual<object>()),
  Elements: ({ children }: { children: unknown }) => children,
  ExpressCheckoutElement: made,
  useStripe: () => null,
  useElements: () => null,
}))

test('H-02 C-13 where the law wants words on a button that orders, a wallet’s says that it buys', () => {
  const typeWhere = (strict: boolean) => {
    made.mockClear()
    const rest = { productName: 'BrightGaze', onOffered: () => undefined, onConfirm: async () => null }
    renderToStaticMarkup(<Wallets stripe={{} as Stripe} productId="trial_5" strict={strict} {...rest} />)
    return made.mock.calls[0]?.[0].options?.buttonType
  }
  expect(typeWhere(true)).toEqual({ applePay: 'buy', googlePay: 'buy' })
  expect(typeWhere(false)).toBeUndefined()
})
