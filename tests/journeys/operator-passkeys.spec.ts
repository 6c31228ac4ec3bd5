/** An operator's passkey: made, used and removed, with the authenticator that Chromium plays (CDP WebAuthn). */
import type { CDPSession, Page } from '@playwright/test'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { codeOf } from '../support/authenticator.ts'
import { expect, test } from '../support/journey.ts'
import { PASSWORD, typePassword } from './operator.ts'

const EMAIL = 'passkeys@example.com'

/** A device with a fingerprint reader; `user` says whether the finger fits. */
async function deviceOf(page: Page): Promise<{ cdp: CDPSession; user: (fits: boolean) => Promise<unknown> }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const user = (fits: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: fits })
  return { cdp, user }
}

test('N-02 V6.3.3 an operator adds a passkey, signs in with it alone, and removes it', async ({
  page,
  stack,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/401 POST .*passkeys\/options/, /401 POST .*sign-in\/passkey$/, /status of 401/)
  await createOperator(stack.db, EMAIL, PASSWORD)
  const device = await deviceOf(page)
  await typePassword(page, EMAIL)
  const secret = (await page.locator('.secret').innerText()).replace(/\s/g, '')
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('link', { name: 'I have kept them: go on' }).click()

  const passkeys = page.getByRole('button', { name: 'Remove' })
  await test.step('only with the password', async () => {
    await page.getByRole('link', { name: 'Passkeys' }).click()
    await expect(page.getByText('None yet.')).toBeVisible()
    await page.getByLabel('Your password').fill('not the password')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByRole('alert')).toHaveText('The password is not right.')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(passkeys).toHaveCount(1)
    await axe()
  })

  const signOut = page.getByRole('button', { name: 'Sign out' })
  await test.step('it signs in without a password and a code, where the finger fits', async () => {
    await signOut.click()
    expect((await page.context().cookies()).some(({ name }) => name.includes('session_token'))).toBe(false)
    await axe()
    await device.user(false)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'No passkey was used' })).toBeVisible()
    // the service also rejects an answer for which a modified page demanded less
    const options = '**/operator/sign-in/passkey/options'
    await page.route(options, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), userVerification: 'discouraged' } })
    })
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('alert').first()).toContainText('This passkey is not known here')
    await page.unroute(options)
    await device.user(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  })

  await test.step('removed, it opens nothing', async () => {
    await page.getByRole('link', { name: 'Passkeys' }).click()
    await passkeys.click()
    await expect(page.getByText('None yet.')).toBeVisible()
    await page.getByRole('link', { name: 'Trail' }).click()
    for (const act of ['added a passkey', 'signed in with a passkey', 'removed a passkey']) {
      // on a phone a cell's name begins with its column's
      await expect(page.getByRole('cell', { name: `What ${act}`, exact: true })).toHaveCount(1)
    }
    await signOut.click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('alert').first()).toContainText('This passkey is not known here')
  })
})
