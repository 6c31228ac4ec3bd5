import { expect, test } from 'vitest'
import { headingsOf, richParts } from './rich-text.ts'

const block = (text: string, more: object = {}) => ({
  _type: 'block',
  _key: text,
  style: 'normal',
  markDefs: [],
  children: [{ _type: 'span', _key: 's', text, marks: [] }],
  ...more,
})

test('V-01 pull quotes, pictures and calls to action stand between the text; a list stays whole', () => {
  const parts = richParts([
    block('One'),
    block('a', { listItem: 'bullet', level: 1 }),
    block('b', { listItem: 'bullet', level: 1 }),
    { _type: 'pullQuote', _key: 'q', text: 'Well said' },
    { _type: 'callToAction', _key: 'c', text: 'Go', button: 'Now' },
    block('Two'),
  ])
  expect(parts.map(({ kind }) => kind)).toEqual(['text', 'pullQuote', 'callToAction', 'text'])
  expect(parts[0]).toMatchObject({ html: expect.stringMatching(/<ul><li>a<\/li><li>b<\/li><\/ul>/) })
  expect(parts[1]).toMatchObject({ attribution: null })
})

test('G-01 every section has an address of its own, also when two are called the same', () => {
  const body = [block('1. Prices', { style: 'h2' }), block('Prices', { style: 'h2' }), block('Prices', { style: 'h2' })]
  expect(headingsOf(body).map(({ id }) => id)).toEqual(['s-1-prices', 's-prices', 's-prices-2'])
  const [part] = richParts(body, { headingIds: true })
  expect(part).toMatchObject({ html: expect.stringContaining('<h2 id="s-prices-2">Prices</h2>') })
})

test('G-01 a heading without words is left out, and out of the list of sections', () => {
  const body = [
    block('Prices', { style: 'h2' }),
    block('', { style: 'h2' }),
    block(' ', { style: 'h3' }),
    block('Text'),
  ]
  expect(headingsOf(body)).toHaveLength(1)
  const [part] = richParts(body, { headingIds: true })
  expect((part as { html: string }).html.match(/<h\d/g)).toEqual(['<h2'])
})

test('K-01 what an editor writes stays text, and a link leads to nothing that runs', () => {
  const link = (href: string) =>
    block('x', {
      markDefs: [{ _key: 'l', _type: 'link', href }],
      children: [{ _type: 'span', _key: 's', text: '<b>&"', marks: ['l'] }],
    })
  const html = (href: string) => (richParts([link(href)])[0] as { html: string }).html
  expect(html('/privacy')).toContain('<a href="/privacy">&lt;b&gt;&amp;&quot;</a>')
  expect(html('javascript:alert(1)')).not.toContain('javascript:')
})
