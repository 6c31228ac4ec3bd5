import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CheckoutContent } from '../../../contract/content.ts'
import { Timeline } from './Plan.tsx'
import { Guarantee, Testimonials } from './Trust.tsx'

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

test('C-07 the rating line goes with its text, and the whole section when there are no testimonials either', () => {
  const testimonials = [{ id: 'a', quote: 'It helped.', name: 'Ann', stars: 5 }]
  const shown = (over: object) => {
    const content = {
      testimonialsTitle: 'Said of us',
      testimonials,
      rating: null,
      ...over,
    } as unknown as CheckoutContent
    return renderToStaticMarkup(<Testimonials content={content} />)
  }
  const text = 'TrustScore 4.2 | +2.5k reviews'
  expect(shown({ rating: { text } })).toContain(`<p class="rating">${text}</p>`)
  expect(shown({})).toContain('It helped.')
  expect(shown({})).not.toContain('class="rating"')
  expect(shown({ testimonials: [] })).toBe('')
})

test('C-10 the guarantee says what its content says, with no number of its own', () => {
  const content = { guaranteeTitle: '41-day guarantee', guaranteeText: 'Ask.' } as CheckoutContent
  expect(textOf(<Guarantee content={content} />).match(/\d+/g)).toEqual(['41'])
})
