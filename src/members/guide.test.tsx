import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { GuideContent } from '../../contract/members.ts'
import Guide from './Guide.tsx'

const quote = { _type: 'pullQuote', text: 'Look up.' }
const guide: GuideContent = {
  ...{ productId: 'guide_habits', title: 'Habits', emoji: '⏰', intro: 'Small ones.' },
  body: [
    { _type: 'block', _key: 'a', style: 'normal', children: [{ _type: 'span', text: 'Rest your eyes.' }] },
    { ...quote, _key: 'b', attribution: 'J. S.' },
    { ...quote, _key: 'c' },
  ],
}
vi.mock('./client.ts', async (original) => ({
  ...(await original<object>()),
  useRemote: () => [{ state: 'ready', data: guide }, {}],
}))

test('A-05 a guide shows its text and its pull quotes, with who said them where an editor wrote it', () => {
  const html = renderToStaticMarkup(<Guide productId="guide_habits" />)
  expect(html).toContain('<p>Rest your eyes.</p>')
  expect(html.match(/<figure>.*?<\/figure>/g)).toEqual([
    '<figure><blockquote>Look up.</blockquote><figcaption class="small quiet">J. S.</figcaption></figure>',
    '<figure><blockquote>Look up.</blockquote></figure>',
  ])
})
