/**
 * What Stripe.js sends when a page confirms with PayPal: the wallet, the way back, and who accepts later charges
 * (`infer_from_client` becomes the browser's own name).
 */
export const paypalForm = (returnUrl: string): Record<string, string> => ({
  'payment_method_data[type]': 'paypal',
  return_url: returnUrl,
  'mandate_data[customer_acceptance][type]': 'online',
  'mandate_data[customer_acceptance][online][user_agent]': 'a browser of the tests',
})
