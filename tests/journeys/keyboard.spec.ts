import { expect, test } from '../support/journey.ts'
import { atAddOns } from './buyer.ts'

const small = { viewport: { width: 390, height: 700 }, isMobile: false, hasTouch: false }

test.describe('with a keyboard on a small screen', () => {
  test.use(small)

  test('U-05 no focus of the add-ons page is hidden under the total, forwards or backwards', async ({ page }) => {
    await atAddOns(page)
    for (const key of ['Tab', 'Shift+Tab']) {
      const hidden: string[] = []
      for (let stop = 0; stop < 24; stop++) {
        await page.keyboard.press(key)
        const covered = await page.evaluate(() => {
          const at = document.activeElement
          const bar = document.querySelector('.total-bar')?.getBoundingClientRect()
          if (!at || at === document.body || !bar || at.closest('.total-bar')) return null
          const box = at.getBoundingClientRect()
          const hiddenBelow = box.bottom > bar.top + 1 && box.top < bar.bottom && at.closest('main') !== null
          return hiddenBelow ? at.outerHTML.slice(0, 100) : null
        })
        if (covered) hidden.push(covered)
      }
      expect(hidden, key).toEqual([])
    }
  })

  test('S-23 a bad address is named on leaving the field and on Enter; the button is grey until then', async ({
    page,
  }) => {
    await page.goto('/quiz?step=23')
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', 'Step 23 of 32')
    const email = page.getByRole('textbox')
    const see = page.getByRole('button', { name: 'SEE MY RESULTS' })
    const error = page.locator('.field-error')
    await email.focus()
    await page.keyboard.press('Enter')
    await expect(error).toContainText('Please enter your email address')
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toBeFocused()

    await email.fill('ada@')
    await page.keyboard.press('Enter')
    await expect(error).toContainText('not a complete e-mail address')
    await expect(email).toBeFocused()

    await email.fill('')
    await page.keyboard.press('Tab')
    await expect(error).toContainText('Please enter your email address')
    await expect(see).toBeDisabled()
    await expect(see).toHaveCSS('background-color', 'rgb(209, 213, 219)')

    // begun anew, it is not yet wrong while it is typed; once left, it is until it is right
    await email.press('a')
    await expect(error).toBeHidden()
    await page.keyboard.press('Tab')
    await expect(error).toContainText('not a complete e-mail address')
    await email.fill('ada@example')
    await expect(error).toContainText('not a complete e-mail address')

    await email.fill('ada@example.com')
    await expect(error).toBeHidden()
    await expect(see).toBeEnabled()
    await see.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('step')).toBe('24')
  })
})
