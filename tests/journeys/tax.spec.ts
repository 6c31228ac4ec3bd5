/** P-15: what a buyer reads of the tax in a price, from the order to the invoice. */
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { callFrom, mailTo, PASSWORD } from './members.ts'
import { atCheckout } from './prepared.ts'

test('P-15 H-02 a German buyer reads that VAT is in the amount, and how much of it in mail and invoice', async ({
  page,
  stack,
  axe,
}) => {
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'DE' })
  const { sessionId, email } = await atCheckout(page, { price: 5 })
  await openPayment(page)
  await expect(page.getByRole('dialog').locator('.pay-amount')).toHaveText('You will be charged only $5, incl. VAT')
  await fillCard(page, { number: '4000002760000016' })
  await pay(page)
  await page.waitForURL(/\/multi-upsell\//)
  await page.getByRole('checkbox').first().click()
  await expect(page.locator('.total')).toContainText('one-time payment, incl. VAT')

  expect((await mailTo(stack, email, 'order_confirmation')).text).toContain('VAT 19% (Germany): $0.80. Net: $4.20.')
  const twice = { password: PASSWORD, passwordConfirmation: PASSWORD }
  await callFrom(page, 'POST', `/api/sessions/${sessionId}/upsell/finish`, { reason: 'skipped' })
  expect((await callFrom(page, 'POST', `/api/sessions/${sessionId}/account`, twice)).status).toBe(200)
  await page.goto('/app/invoices')
  await page.getByRole('link', { name: /3-day trial/ }).click()
  const invoice = page.getByRole('article')
  await expect(invoice).toContainText('Net of tax')
  await expect(invoice.getByText('$4.20')).toBeVisible()
  await expect(invoice.getByText('VAT 19% (Germany), included')).toBeVisible()
  await expect(invoice.getByText('$0.80')).toBeVisible()
  await axe()
})
