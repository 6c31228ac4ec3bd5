/**
 * What Stripe.js sends when a page confirms with PayPal: the wallet, the return URL, and who accepts later charges
 * (`infer_from_client` is replaced by the browser's user agent).
 */
export const paypalForm = (returnUrl: string): Record<string, string> => ({
  'payment_method_data[type]': 'paypal',
  return_url: returnUrl,
  'mandate_data[customer_acceptance][type]': 'online',
  'mandate_data[customer_acceptance][online][user_agent]': 'a browser of the tests',
})
