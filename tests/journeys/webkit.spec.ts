/** What every iPhone's browser does: WebKit walks the whole way, over http as `npm start` serves it. */
import { withStack as test } from '../support/journey.ts'
import { missingWebKit, openWebKit } from '../support/webkit.ts'
import { walkAndBuy } from './main-walk.ts'

test.skip(missingWebKit().length > 0, `not on this machine: ${missingWebKit().join(', ')}`)

test('L-04 S-33 C-13 P-04 A-03 A-05 in WebKit: quiz, reloads, card with 3-D Secure, account, programme', async ({
  stack,
}) => {
  await walkAndBuy(await openWebKit(), stack)
})
