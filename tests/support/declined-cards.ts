/** Stripe's test cards that are refused, and what the payment form says of each; docs/qa.md lists the same. */
export const DECLINED_CARDS: Readonly<Record<string, string>> = {
  '4000000000000002': 'Card error: Your card was declined.',
  '4000000000009995': 'Card error: Your card has insufficient funds.',
  '4000000000009987': 'Card error: Your card was declined.',
  '4000000000009979': 'Card error: Your card was declined.',
  '4000000000000069': 'Card error: Your card has expired.',
  '4000000000000127': "Card error: Your card's security code is incorrect.",
  '4000000000000119': 'Card error: An error occurred while processing your card. Try again in a little bit.',
  '4000000000006975':
    'Card error: Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  '4000000000000341': 'Card error: Your card was declined.',
  '4242424242424241': 'Validation error: Your card number is invalid.',
}
