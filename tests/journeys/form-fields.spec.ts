/** Every form without a card: a wrong field says so once it is left, until it is right; the first takes the focus. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { toCorrection, toMailedCode, toSignUp } from './members.ts'

interface Field {
  label: string
  /** What is typed into it, one after the other; with what the field says then, once it is left. */
  wrong: readonly (readonly [typed: string, words: string])[]
  right: string
}
interface Form {
  form: string
  ids: string
  open: (page: Page, stack: Stack) => Promise<unknown>
  fields: readonly Field[]
  button: string
  /** What an empty form says; the first of it takes the focus. */
  empty: readonly string[]
}

const NO_ADDRESS = 'Please enter your email address.'
const NO_CODE = 'Please enter the six digits from the mail.'
const TOO_SHORT = 'Password must be at least 8 characters long'
const address = (label: string, missing = NO_ADDRESS): Field => ({
  label,
  wrong: [
    ['ada@', 'Please enter a valid email address.'],
    ['', missing],
  ],
  right: 'ada@example.com',
})
const NEW_PASSWORD: readonly Field[] = [
  {
    label: 'Password',
    wrong: [
      ['Eyes 1', TOO_SHORT],
      ['better eyes 1', 'Password must contain at least one uppercase letter'],
    ],
    right: 'Better Eyes 1',
  },
  { label: 'Confirm password', wrong: [['Better Eyes 2', 'Passwords do not match']], right: 'Better Eyes 1' },
]

const FORMS: readonly Form[] = [
  {
    form: 'signing in',
    ids: 'A-05',
    open: (page) => page.goto('/app/'),
    fields: [address('Email'), { label: 'Password', wrong: [['', 'Please enter your password.']], right: 'x' }],
    button: 'Sign in',
    empty: [NO_ADDRESS, 'Please enter your password.'],
  },
  {
    form: 'a forgotten password',
    ids: 'A-05',
    open: (page) => page.goto('/app/forgot-password'),
    fields: [address('Email')],
    button: 'Send the link',
    empty: [NO_ADDRESS],
  },
  {
    form: 'a new password',
    ids: 'A-01 A-05',
    open: (page) => page.goto('/app/reset-password#x'),
    fields: NEW_PASSWORD,
    button: 'Save the password',
    empty: [TOO_SHORT],
  },
  {
    form: 'a new account',
    ids: 'A-01',
    open: toSignUp,
    fields: NEW_PASSWORD,
    button: 'Create my account',
    empty: [TOO_SHORT],
  },
  {
    form: 'another address',
    ids: 'A-01',
    open: toCorrection,
    fields: [address('The right email address')],
    button: 'Send the code',
    empty: [NO_ADDRESS],
  },
  {
    form: 'the code of a mail',
    ids: 'A-01',
    open: toMailedCode,
    fields: [{ label: 'Code from the mail', wrong: [['12 34', NO_CODE]], right: '12 34 56' }],
    button: 'Use this address',
    empty: [NO_CODE],
  },
  {
    form: 'leaving',
    ids: 'H-04',
    open: (page) => page.goto('/exit'),
    fields: [
      { label: 'Your name', wrong: [['ж'.repeat(201), 'Please use at most 200 characters.']], right: 'Ada Sample' },
      address('Email address of the purchase', 'Please enter the email address you bought with.'),
      {
        label: 'Reason (optional)',
        wrong: [['ж'.repeat(2001), 'Please use at most 2000 characters.']],
        right: '',
      },
    ],
    button: 'Continue',
    empty: [
      'Please choose what you want.',
      'Please enter your name.',
      'Please enter the email address you bought with.',
    ],
  },
]

for (const { form, ids, open, fields, button, empty } of FORMS) {
  test(`${ids} the form for ${form} names a fault on leaving its field, until it is right`, async ({
    page,
    stack,
    axe,
  }) => {
    await open(page, stack)
    const faults = page.locator('.field-error')
    const send = page.getByRole('button', { name: button, exact: true })
    await expect(send).toBeVisible()
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)

    for (const { label, wrong, right } of fields) {
      const field = page.getByLabel(label, { exact: true })
      await field.focus()
      await field.press('Tab')
      await expect(faults, `${label}: nothing where it is only passed by`).toHaveCount(0)
      for (const [typed, words] of wrong) {
        await field.fill(right || 'x')
        await field.fill(typed)
        await expect(faults, `${label}: nothing while it is typed`).toHaveCount(0)
        await field.blur()
        await expect(faults).toHaveText([words])
        await expect(field).toHaveAttribute('aria-invalid', 'true')
        await expect(field).toHaveAccessibleDescription(new RegExp(words))
      }
      await field.fill(right)
      await expect(faults, `${label}: nothing once it is right`).toHaveCount(0)
    }

    for (const { label } of fields) await page.getByLabel(label, { exact: true }).fill('')
    await send.click()
    await expect(faults).toHaveText([...empty])
    await expect(page.locator(':is([aria-invalid=true] input, input[aria-invalid=true])').first()).toBeFocused()
    await axe()
  })
}

test('A-05 an address that is still none keeps its words while it is corrected', async ({ page }) => {
  await page.goto('/app/forgot-password')
  const faults = page.locator('.field-error')
  const email = page.getByLabel('Email', { exact: true })
  await email.fill('ada@')
  await email.blur()
  await expect(faults).toHaveText(['Please enter a valid email address.'])
  await email.fill('ada@example')
  await expect(faults).toHaveText(['Please enter a valid email address.'])
  await email.fill('ada@example.com')
  await expect(faults).toHaveCount(0)
})
