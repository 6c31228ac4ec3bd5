/** An operator's day: after signing in, sees the visits, the funnel and what was not sent, and decides about money. */
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { codeIn } from '../support/authenticator.ts'
import { desktop, expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { choose, startQuiz } from './funnel.ts'
import { stripeList } from './prepared.ts'
import { mailTo, PERSON } from './members.ts'
import { fitsScreen, member, PAGES, shots, signedIn, typePassword } from './operator.ts'

test.use({ userAgent: PERSON })

/** Seven sessions listened to, and the refund request. */
async function asksForMoneyBack(page: Page, stack: Stack, sessionId: string): Promise<void> {
  await sql`insert into listened_sessions (user_id, day, played_seconds, length_seconds, counted_at)
    select u.auth_user_id, d, 90, 97, now() from users u, generate_series(1, 7) d
      where u.session_id = ${sessionId}`.execute(stack.db)
  await page.goto('/app/money-back')
  await page.getByRole('button', { name: 'Ask for my money back' }).click()
  await page.getByRole('button', { name: 'Ask for $1 back' }).click()
  await expect(page.getByText('We have your request.')).toBeVisible()
}

test('U-09 D-08 D-12 the operator signs in and reads every page, on a phone and on a desktop', async ({
  page,
  browser,
  stack,
  axe,
  expectTrouble,
}) => {
  expectTrouble(/401 POST .*sign-in/, /status of 401/)
  const { sessionId } = await member(browser, stack, 'story@example.com')
  await sql`update outbox set dead_at = now(), sent_at = null, last_error = 'Meta answered 401: ' || repeat('long ', 40)
    where session_id = ${sessionId} and kind = 'conversion:Lead'`.execute(stack.db)

  await test.step('nobody else gets in, and what was typed is kept', async () => {
    await page.goto('/operator')
    await page.waitForURL('**/operator/sign-in')
    await axe()
    await page.getByLabel('Email address').fill('boss@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText('The email address or the password is not right.')
    await expect(page.getByLabel('Email address')).toHaveValue('boss@example.com')
    await axe()
  })

  const secret = await signedIn(page, stack, 'boss@example.com', axe)
  for (const size of [{ width: 390, height: 844 }, desktop.viewport]) {
    await page.setViewportSize(size)
    for (const [link, title] of PAGES) {
      await page.getByRole('link', { name: link, exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByRole('link', { name: link, exact: true }).first()).toHaveAttribute('aria-current', 'page')
      await fitsScreen(page)
      await axe()
    }
  }

  await test.step('one visit, from the search to its whole story', async () => {
    await page.goto('/operator')
    await page.getByRole('searchbox').fill('story@')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('row').filter({ hasText: 'story@example.com' }).getByRole('link').first().click()
    const happened = page.getByRole('region', { name: 'What happened, newest first' })
    for (const words of [/payment_attempt/, /payment_success/, /money: succeeded/, /access given/, /mail sent/]) {
      await expect(happened.getByRole('row').filter({ hasText: words }).first()).toBeVisible()
    }
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 844 })
      await fitsScreen(page)
      await axe()
    }
    // a card names each fact as the table's head did
    const payment = page.getByRole('region', { name: 'Payments' }).getByRole('row').nth(1)
    const amount = payment.getByRole('cell', { name: '$1.00' })
    expect(await amount.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Amount"')
    await expect(page.getByRole('region', { name: 'Payments' }).getByRole('columnheader')).toHaveCount(9)
  })

  await test.step('a letter that was given up goes out again', async () => {
    await page.goto('/operator/letters')
    const dead = page
      .getByRole('region', { name: /^Given up/ })
      .getByRole('row')
      .filter({ hasText: 'Meta answered 401' })
    await dead.getByRole('button', { name: 'Send again' }).click()
    const sent = () =>
      stack.db
        .selectFrom('outbox')
        .select(['sent_at', 'dead_at'])
        .where('session_id', '=', sessionId)
        .where('kind', '=', 'conversion:Lead')
        .executeTakeFirst()
    await expect.poll(sent).toEqual({ sent_at: expect.any(Date), dead_at: null })
    await expect(dead).toBeHidden()
  })

  await test.step('T-02 what advertisers would be told can be looked at, and names nobody', async () => {
    await page.goto(stack.metaUrl)
    await expect(page.getByRole('row').filter({ hasText: 'Purchase' }).first()).toBeVisible()
    await page.getByRole('row').filter({ hasText: 'Lead' }).first().locator('summary').click()
    await expect(page.getByText('"event_name": "Lead"').first()).toBeVisible()
    expect(await page.content()).not.toMatch(new RegExp(`${sessionId}|story@example\\.com|trial_1`))
    await axe()
  })

  await test.step('D-12 a visitor is exported, and erasing asks first', async () => {
    await page.goto('/operator/privacy')
    await page.getByLabel('Email address or session id').fill('story@example.com')
    await page.getByRole('button', { name: 'Find the visits' }).click()
    const visit = page.getByRole('row').filter({ hasText: sessionId.slice(0, 8) })
    await visit.getByRole('checkbox').check()
    await axe()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the ticked visits' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('visitor.json')
    await page.getByRole('checkbox', { name: 'I am sure: this cannot be undone' }).check()
    await page.getByRole('button', { name: 'Erase the ticked visits' }).click()
    await expect(page.getByRole('status')).toContainText('there is a live subscription')
    await expect(page.getByLabel('Email address or session id')).toHaveValue('story@example.com')
    await axe()
  })

  await test.step('H-04 the subscription is cancelled for the buyer, who did not find the page', async () => {
    await page.getByRole('link', { name: 'cancel it' }).click()
    const plans = page.getByRole('region', { name: 'Subscriptions' })
    await shots(page, 'story')
    await plans.getByRole('button', { name: 'Cancel' }).click()
    await expect(plans.getByRole('checkbox'), 'the browser asks for the tick').toBeFocused()
    await plans.getByRole('checkbox').check()
    await plans.getByRole('button', { name: 'Cancel' }).click()
    await expect(plans.getByRole('button', { name: 'Cancel' })).toBeHidden()
    await expect(plans.getByRole('row').nth(1)).toContainText(/\d{4}-\d{2}-\d{2}.*sub_/)
    await shots(page, 'story-cancelled')
    await axe()
    await mailTo(stack, 'story@example.com', 'cancellation_confirmed')
  })

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.goto('/operator')
  await page.waitForURL('**/operator/sign-in')

  await test.step('N-02 the next sign-in asks for a code, and a wrong one is said at its field', async () => {
    await typePassword(page, 'boss@example.com')
    const field = page.getByLabel('Code from your authenticator app')
    await field.fill('12345')
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(field).toHaveAccessibleDescription(/This code is not right/)
    await axe()
    // the set-up has used the one that the app shows now
    await field.fill(codeIn(secret, 1))
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  })
})

test('D-09 the funnel by source and price, as a chart and as a file', async ({ page, browser, stack, axe }) => {
  await member(browser, stack, 'counted@example.com')
  await signedIn(page, stack, 'analyst@example.com')
  await page.goto('/operator/funnel')
  await expect(page.getByRole('listitem').filter({ hasText: /Revenue/ })).not.toContainText('$0.00')
  const steps = page.getByRole('region', { name: 'How far people come' })
  await expect(steps.getByRole('row').nth(1)).toBeVisible()
  await expect(steps.getByRole('img', { name: /of all \d/ }).first()).toBeVisible()
  await sql`insert into quiz_revisions
    values ('pages-1', now() - interval '9 days'), ('pages-2', now() - interval '1 day')`.execute(stack.db)
  await sql`insert into page_counts
    select current_date - 2, revision, page, 'direct', 'en', 'mobile', went_on, paid, 12345
    from unnest(array['pages-1', 'pages-2']) revision, unnest(enum_range(null::funnel_page)) page,
      unnest(array[true, false]) went_on, unnest(array[true, false]) paid`.execute(stack.db)
  // ten visits, so that it can be chosen
  await sql`insert into funnel_counts values (current_date - 2, 'newsletter', 0, 'visit', 0, 10, 0)`.execute(stack.db)
  await page.reload()
  const pages = page.locator('section.page')
  await expect(pages.getByText(/^98,\d{3}$/).first()).toBeVisible()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await fitsScreen(page)
    const wide = await page
      .locator('.page *')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length)
    expect(wide, `figures of pages at ${width} px`).toBe(0)
  }
  await shots(page, 'funnel')
  await sql`delete from page_counts where revision like 'pages-%'`.execute(stack.db)
  await axe()
  await page.getByLabel('Source').selectOption('newsletter')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByLabel('Source')).toHaveValue('newsletter')
  const visits = page.getByRole('listitem').filter({ hasText: 'Visits' })
  await expect(visits).toHaveText(/^\s*[1-9]/)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'As CSV' }).click()])
  const path = await file.path()
  const { readFile } = await import('node:fs/promises')
  const lines = (await readFile(path, 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe('day,source,price_cents,stage,step,sessions,revenue_cents')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines.slice(1)) expect(line.split(',')[1]).toBe('newsletter')
  await page.getByLabel('To').fill('2020-01-02')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('Nobody in these days')).toBeVisible()
  await sql`delete from funnel_counts where day = current_date - 2 and source = 'newsletter'`.execute(stack.db)
})

test('D-08 D-09 what a visitor sees carries the published revision; steps by revision, and what is too few', async ({
  page,
  stack,
  axe,
}) => {
  await startQuiz(page)
  const { revision, steps } = (await page.locator('main').evaluate((main) => ({ ...main.dataset }))) as Record<
    string,
    string
  >
  await choose(page, 'Amber')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  // other visitors came to the same shop before
  const session = () => page.evaluate(() => localStorage.getItem('quiz_session_id'))
  await expect.poll(session).toMatch(/^[0-9a-f-]{36}$/)
  const sessionId = await session()
  const seen = async () => {
    const { rows } = await sql<{ step: string; key: string }>`select step, step_key as key from page_views
      where session_key = (select key from sessions where id = ${sessionId}::uuid)
        and revision = ${revision} and step <> 'Welcome' order by id`.execute(stack.db)
    return rows
  }
  const [first, second] = steps?.split(' ') ?? []
  await expect.poll(seen).toEqual([
    { step: '1', key: first },
    { step: '2', key: second },
  ])

  // fifty steps of two revisions, the later one with one step that really lost more
  await sql`insert into quiz_revisions
    values ('earlier', now() - interval '9 days'), ('later', now() - interval '1 day')`.execute(stack.db)
  await sql`insert into step_counts
    select current_date - 2, revision, place, 'step-key-' || place, 'newsletter', 'en', device, outcome::step_outcome,
      3 + place % 9, case outcome when 'went_on' then 900 - 25 * place when 'paid' then 60 else 12 + place
        + case when revision = 'later' and place = 7 then 150 else 0 end end
    from unnest(array['earlier', 'later']) revision, generate_series(1, 33) place,
      unnest(array['mobile', 'desktop']) device, unnest(array['went_on', 'paid', 'left']) outcome`.execute(stack.db)
  await signedIn(page, stack, 'counter@example.com')
  await page.goto('/operator/steps')
  const table = page.getByRole('region', { name: 'Step by step' })
  await expect(table.getByRole('row').filter({ hasText: 'step-key-7' })).toContainText('lower')
  await expect(table.getByRole('row').filter({ hasText: 'step-key-8' })).toContainText('too few to tell yet')
  await axe()
  await page.getByText('What these numbers mean').click()
  await expect(page.getByText('Visitors who were shown the step, or the page, at least once')).toBeVisible()
  await axe()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await fitsScreen(page)
  }
  await shots(page, 'steps')
  await page.getByLabel('Published').selectOption({ index: 2 })
  await page.getByLabel('Device').selectOption('mobile')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(table.getByRole('row').filter({ hasText: 'step-key-1' }).first()).toBeVisible()
  await expect(page.getByLabel('Device')).toHaveValue('mobile')
  await expect(page.getByText('Since the edit')).toBeHidden()
})

test("A-07 money back on the operator's page: one is given, one is refused with a reason, each once", async ({
  page,
  browser,
  stack,
  axe,
}) => {
  const [given, refused] = [
    await member(browser, stack, 'given@example.com'),
    await member(browser, stack, 'refused@example.com'),
  ]
  for (const one of [given, refused]) await asksForMoneyBack(one.page, stack, one.sessionId)
  await signedIn(page, stack, 'cashier@example.com')
  await page.goto('/operator/money-back')
  const waiting = (email: string) =>
    page
      .getByRole('region', { name: /^Waiting/ })
      .getByRole('row')
      .filter({ hasText: email })
  const decided = (email: string) =>
    page.getByRole('region', { name: 'Decided' }).getByRole('row').filter({ hasText: email })
  await expect(waiting('given@example.com')).toContainText('7 sessions')
  await fitsScreen(page)
  await shots(page, 'money-back')
  await axe()

  await test.step('a refusal without a reason decides nothing', async () => {
    await waiting('refused@example.com').getByLabel('Reason for the buyer').fill('   ')
    await waiting('refused@example.com').getByRole('button', { name: 'Decline' }).click()
    await expect(page.getByRole('alert')).toContainText('a refusal needs a reason')
    await axe()
    await page.goto('/operator/money-back')
  })
  await waiting('refused@example.com').getByLabel('Reason for the buyer').fill('The sessions were played by a script.')
  await waiting('refused@example.com').getByRole('button', { name: 'Decline' }).click()
  await expect(decided('refused@example.com')).toContainText('The sessions were played by a script.')
  await expect(decided('refused@example.com')).toContainText('cashier@example.com')

  await waiting('given@example.com').getByRole('button', { name: 'Give $1.00 back' }).click()
  await expect(decided('given@example.com')).toBeVisible()
  await expect(waiting('given@example.com').or(waiting('refused@example.com'))).toBeHidden()
  await axe()
  await expect(async () => {
    await page.reload()
    await expect(decided('given@example.com')).toContainText('refunded', { timeout: 1_000 })
  }).toPass()

  expect((await mailTo(stack, 'refused@example.com', 'money_back_decided')).text).toContain('played by a script')
  expect((await mailTo(stack, 'given@example.com', 'money_back_decided')).text).toContain('$1')
  const refundsOf = async (sessionId: string) => {
    const { stripe_customer_id } = await stack.db
      .selectFrom('payments')
      .select('stripe_customer_id')
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    const charges = await stripeList<{ amount_refunded: number }>(stack, `charges?customer=${stripe_customer_id}`)
    return charges.map(({ amount_refunded }) => amount_refunded)
  }
  expect([await refundsOf(given.sessionId), await refundsOf(refused.sessionId)]).toEqual([[100], [0]])
  await given.page.goto('/app/')
  await refused.page.goto('/app/money-back')
  await expect(refused.page.getByText('The sessions were played by a script.')).toBeVisible()
})
