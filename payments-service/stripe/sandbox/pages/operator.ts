import { htmlPage } from './html.ts'

export const OPERATOR_JS = ''
/** The operator's page. */
export function operatorPage(): ReturnType<typeof htmlPage> {
  return htmlPage('Stripe sandbox', '<main><h1>Stripe sandbox</h1></main>')
}
