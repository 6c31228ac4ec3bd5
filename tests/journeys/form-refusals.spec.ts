/** What the service refuses: at the field it names, else in a notice; either takes the focus. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { toMailedCode } from './members.ts'
import { newEmail } from './prepared.ts'

/** The service's answer to a request, as it words it. */
const refuse = (page: Page, path: string, status: number, error: object): Promise<unknown> =>
  page.route(path, (route) => route.fulfill({ status, json: { error } }), { times: 1 })

test('A-05 a sign-in that fails takes the focus to what it says; a field the service names, to that field', async ({
  page,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/401/, /422/)
  await page.goto('/app/')
  await page.getByLabel('Email', { exact: true }).fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill('Wrong Word 9')
  const send = page.getByRole('button', { name: 'Sign in', exact: true })
  await send.click()
  const notice = page.locator('[tabindex="-1"]:has(> [role=alert])')
  await expect(notice).toContainText('The email address or the password is not right.')
  await expect(notice).toBeFocused()
  await axe()
  // the words are those of the next answer
  await refuse(page, '**/api/account/**', 422, { code: 'invalid_body', message: 'Not right.', field: 'password' })
  await send.click()
  await expect(page.locator('.field-error')).toHaveText(['Please check this.'])
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(notice).toHaveCount(0)
  await page.getByLabel('Email', { exact: true }).fill(newEmail())
  await expect(page.locator('.field-error'), 'what the service said of another field stays').toHaveCount(1)
  await page.getByLabel('Password', { exact: true }).fill('Wrong Word 8')
  await expect(page.locator('.field-error')).toHaveCount(0)
})

test('A-05 a link that cannot be asked for says so in a notice, which takes the focus, and not at the address', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED|Failed to load/)
  await page.goto('/app/forgot-password')
  await page.route('**/api/account/**', (route) => route.abort('failed'))
  await page.getByLabel('Email', { exact: true }).fill(newEmail())
  await page.getByRole('button', { name: 'Send the link' }).click()
  const notice = page.locator('[tabindex="-1"]:has(> [role=alert])')
  await expect(notice).toContainText('We cannot reach our service.')
  await expect(notice).toBeFocused()
  await expect(page.locator('.field-error')).toHaveCount(0)
})

test('A-01 a code that the service refuses is said at its field, which takes the focus', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/422/)
  const right = await toMailedCode(page, stack)
  const code = page.getByLabel('Code from the mail')
  await code.fill(right === '123456' ? '654321' : '123456')
  await code.press('Enter')
  await expect(page.locator('.field-error')).toHaveText([/^This code is not right/])
  await expect(code).toBeFocused()
  await code.fill(right)
  await expect(page.locator('.field-error')).toHaveCount(0)
  await code.press('Enter')
  await expect(page.getByRole('button', { name: 'Wrong email?' })).toBeVisible()
})

test('H-04 a statement that fails takes the focus to why; a field the service names, to that field', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/422/, /503/)
  await page.goto('/exit')
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await page.getByRole('radio').first().check()
  await page.getByLabel('Your name').fill('Ada Sample')
  await page.getByLabel('Email address of the purchase').fill(newEmail())
  await page.getByRole('button', { name: 'Continue' }).click()
  const send = page.getByRole('button', { name: 'Cancel now' })
  await refuse(page, '**/api/exit', 503, { code: 'service_unavailable', message: 'We cannot do this right now.' })
  await send.click()
  await expect(page.locator('[tabindex="-1"]:has(> [role=alert])')).toBeFocused()
  await refuse(page, '**/api/exit', 422, { code: 'invalid_body', message: 'Not right.', field: 'name' })
  await send.click()
  await expect(page.locator('.field-error')).toHaveText(['Please check this.'])
  await expect(page.getByLabel('Your name')).toBeFocused()
})
