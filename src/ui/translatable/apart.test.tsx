import { Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { apart } from './apart.ts'
import { jsxDEV } from './jsx-dev-runtime.ts'
import { jsx, jsxs } from './jsx-runtime.ts'

const markup = (...children: Parameters<typeof apart>[1]) => renderToStaticMarkup(jsxs('p', { children }))

test('P-11 texts alone are the content of their element; among elements each has its own', () => {
  expect(markup('You pay ', '$1', ' now', null, false, '')).toBe('<p>You pay $1 now</p>')
  expect(markup('You pay ', <b key="b">$1</b>, ' now, then ', 39)).toBe(
    '<p><span>You pay </span><b>$1</b><span> now, then 39</span></p>',
  )
  expect(markup(<b key="b">1</b>, ' ', <b key="c">2</b>)).toBe('<p><b>1</b> <b>2</b></p>')
  expect(markup(0, <b key="b">1</b>, '')).toBe('<p><span>0</span><b>1</b></p>')
  expect(markup(null, undefined, true)).toBe('<p></p>')
})

test('P-11 what stands around a fragment is unknown, so that its texts are never bare', () => {
  const inside = jsxs(Fragment, { children: ['Total ', '$1'] })
  expect(renderToStaticMarkup(jsx('p', { children: inside }))).toBe('<p><span>Total $1</span></p>')
})

test('P-11 a child keeps its place, which is its identity, whatever texts come and go before it', () => {
  const at = (...children: Parameters<typeof apart>[1]) =>
    (apart('p', children) as readonly { type?: string }[]).findIndex((one) => one?.type === 'input')
  const input = <input key="i" />
  expect([at('a', 'b', input), at('a', null, input), at(null, null, input)]).toEqual([2, 2, 2])
})

test('P-11 the development server makes the same of it', () => {
  const children = ['Total ', <b key="b">$1</b>]
  expect(renderToStaticMarkup(jsxDEV('p', { children }, undefined, true))).toBe('<p><span>Total </span><b>$1</b></p>')
  expect(renderToStaticMarkup(jsxDEV('p', { children: 'Total' }, undefined, false))).toBe('<p>Total</p>')
})
