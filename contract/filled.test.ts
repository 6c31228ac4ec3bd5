import { expect, test } from 'vitest'
import { builtValues, filled } from './filled.ts'

const settings = {
  productName: 'Brightgaze',
  company: { name: 'Brightgaze Ltd', address: 'Street 1', country: 'Cyprus' },
  contactEmail: 'hello@example.com',
}

test('K-02 S-33 prices and names are filled when a page is built, wherever they stand in the content', () => {
  const content = {
    note: 'The actual cost is {actualPrice}.',
    steps: [{ title: 'Your {product} plan', next: 3 }, null],
  }
  expect(filled(content, builtValues(settings))).toEqual({
    note: 'The actual cost is $17.67.',
    steps: [{ title: 'Your Brightgaze plan', next: 3 }, null],
  })
})

test('K-02 the browser fills what only it knows: age group, symptoms, the chosen trial price', () => {
  const text = '{ageGroup} {symptoms} {trialPrice} {trialSaving} {ageBucket}'
  expect(filled(text, builtValues(settings))).toBe(text)
})
