import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CheckoutContent } from '../../../contract/content.ts'
import { Timeline } from './Plan.tsx'

/** The text of what is rendered, tags left out. */
const textOf = (element: ReactElement): string => renderToStaticMarkup(element).replace(/<[^>]+>/g, ' ')

test('C-05 a locked week names the week before it, wherever it stands; the first has none to name', () => {
  const locks = (...locked: boolean[]) => {
    const timeline = locked.map((one, at) => ({ key: `w${at}`, title: `Title ${at}`, text: '', locked: one }))
    const content = { timelineTitle: 'Plan', timeline } as unknown as CheckoutContent
    return textOf(<Timeline content={content} />).match(/Locked(?: until week \d+ is done)?/g)
  }
  expect(locks(false, false, true)).toEqual(['Locked until week 2 is done'])
  expect(locks(true, false, false, false, true)).toEqual(['Locked', 'Locked until week 4 is done'])
  expect(locks(false, false)).toBeNull()
})
