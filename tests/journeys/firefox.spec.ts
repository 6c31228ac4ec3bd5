/** Firefox walks the whole way, over http as `npm start` serves it. */
import { withStack as test } from '../support/journey.ts'
import { missingFirefox, openFirefox } from '../support/firefox.ts'
import { walkAndBuy } from './main-walk.ts'

test.skip(missingFirefox().length > 0, `not on this machine: ${missingFirefox().join(', ')}`)

test('L-04 S-33 C-13 P-04 A-03 A-05 in Firefox: quiz, reloads, card with 3-D Secure, account, programme', async ({
  stack,
}) => {
  await walkAndBuy(await openFirefox(), stack)
})
