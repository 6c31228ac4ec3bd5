/**
 * A letter as HTML, in the look of the product: large calm type, one column, one button. Mail clients drop style sheets
 * or parts of them, so every element carries its light style inline; the style sheet adds dark mode and small screens.
 * createElement instead of JSX because Node runs .ts without a build step and .tsx not at all.
 */
// one by one: the package of all components also loads Tailwind and a highlighter of code, a second of CPU a start
import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { render } from '@react-email/render'
import { createElement as h, Fragment, type CSSProperties, type ReactNode } from 'react'
import type { Foot } from './letter.foot.ts'
import { blockOf } from './letter.blocks.ts'
import type { Letter } from './letter.ts'
import { FONT, INK, LINE, LINK, PRIMARY, QUIET, SURFACE } from './letter.look.ts'
import type { MailIdentity } from './mail.ts'

/** Contrast of the dark colours on the card, all above 4.5:1: ink 14.6, quiet 8.4, link 8.3, caution 10.6. */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; }
a { text-underline-offset: 3px; }
@media (max-width: 480px) {
  .card { padding: 28px 20px !important; border-radius: 0 !important;
  border-left: 0 !important; border-right: 0 !important; }
  .shell { padding: 0 0 32px !important; }
  .brand, .foot { padding-left: 20px !important; padding-right: 20px !important; }
  .button { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  body, .page, .page > table > tbody > tr > td { background-color: #0B1422 !important; }
  .card { background-color: #121D2F !important; border-color: #2A3A52 !important; }
  .ink { color: #EAF1FB !important; }
  .quiet { color: #A9B8CC !important; }
  .link { color: #8AB8FF !important; }
  .line { border-color: #2A3A52 !important; }
  .box { background-color: #1A2840 !important; border-color: #2A3A52 !important; }
  .caution { color: #FFC46B !important; }
}
[data-ogsc] .ink { color: #EAF1FB !important; }
[data-ogsc] .quiet { color: #A9B8CC !important; }
[data-ogsc] .link { color: #8AB8FF !important; }
`

/** Renders the whole document. */
export function toHtml(letter: Letter, foot: Foot, identity: MailIdentity): Promise<string> {
  return render(
    h(
      Html,
      { lang: 'en' },
      h(
        Head,
        null,
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
        h('title', null, letter.subject),
        h('style', { dangerouslySetInnerHTML: { __html: SHEET } }),
      ),
      h(
        Body,
        { className: 'page', style: { backgroundColor: SURFACE, fontFamily: FONT, margin: 0, padding: 0 } },
        h(Preview, null, letter.preview),
        h(
          Container,
          { className: 'shell', style: { maxWidth: 600, padding: '12px 12px 40px' } },
          brand(identity),
          h(
            Section,
            {
              className: 'card',
              style: {
                backgroundColor: '#FFFFFF',
                border: `1px solid ${LINE}`,
                borderRadius: 14,
                padding: '36px 36px 24px',
              },
            },
            h(
              Heading,
              {
                as: 'h1',
                className: 'ink',
                style: { fontSize: 28, lineHeight: '36px', color: INK, fontWeight: 700, margin: '0 0 20px' },
              },
              letter.heading,
            ),
            ...letter.blocks.map((block, index) => h(Fragment, { key: index }, blockOf(block))),
          ),
          footer(foot),
        ),
      ),
    ),
  )
}

/** The product's name beside an iris: drawn by borders, because mail clients show neither SVG nor unasked pictures. */
function brand(identity: MailIdentity): ReactNode {
  const iris: CSSProperties = {
    display: 'inline-block',
    width: 8,
    height: 8,
    border: `6px solid ${PRIMARY}`,
    borderRadius: '50%',
    backgroundColor: '#FFB454',
    marginRight: 10,
    verticalAlign: '-3px',
  }
  return h(
    Section,
    { className: 'brand', style: { padding: '20px 4px' } },
    h(
      Text,
      { className: 'ink', style: { fontSize: 19, lineHeight: '24px', fontWeight: 700, color: INK, margin: 0 } },
      h('span', { style: iris, 'aria-hidden': true }),
      identity.productName,
    ),
  )
}

function footer(foot: Foot): ReactNode {
  const style: CSSProperties = { fontSize: 16, lineHeight: '25px', color: QUIET, margin: '0 0 10px' }
  const anchor = (href: string, label: string) =>
    h(Link, { href, className: 'link', style: { color: LINK, textDecoration: 'underline' } }, label)
  return h(
    Section,
    { className: 'foot', style: { padding: '24px 4px 0' } },
    // one per line: links close together are hard to hit with a thumb
    ...foot.ways.map(({ words: label, url }) =>
      h(
        Text,
        { key: url, className: 'quiet', style: { ...style, lineHeight: '28px', margin: '0 0 6px' } },
        anchor(url, label),
      ),
    ),
    foot.ways.length > 0
      ? h(Hr, { className: 'line', style: { borderColor: LINE, borderTop: `1px solid ${LINE}`, margin: '14px 0' } })
      : null,
    h(
      Text,
      { className: 'quiet', style },
      'Questions? Write to ',
      anchor(`mailto:${foot.contact.email}`, foot.contact.email),
      '.',
    ),
    h(Text, { className: 'quiet', style }, foot.because),
    h(Text, { className: 'quiet', style: { ...style, margin: 0 } }, foot.sender),
  )
}
