/** The blocks of a letter as HTML elements. */
import { Button } from '@react-email/button'
import { Heading } from '@react-email/heading'
import { Link } from '@react-email/link'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { createElement as h, type CSSProperties, type ReactNode } from 'react'
import { CAUTION, INK, LINE, LINK, PRIMARY, QUIET, SURFACE } from './letter.look.ts'
import type { Block, Fact, Line } from './letter.ts'

const words: CSSProperties = { fontSize: 18, lineHeight: '28px', color: INK, margin: '0 0 18px' }
const box: CSSProperties = { backgroundColor: SURFACE, border: `1px solid ${LINE}`, borderRadius: 14 }
const small: CSSProperties = { fontSize: 16, lineHeight: '25px', color: QUIET, margin: '0 0 14px' }

type Of<T extends Block['type']> = Extract<Block, { type: T }>

/** One block of a letter as an element. */
export function blockOf(block: Block): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return block.quiet
        ? h(Text, { className: 'quiet', style: small }, ...runs(block.line))
        : h(Text, { className: 'ink', style: words }, ...runs(block.line))
    case 'heading':
      return h(
        Heading,
        {
          as: 'h2',
          className: 'ink',
          style: { fontSize: 21, lineHeight: '28px', fontWeight: 700, color: INK, margin: '30px 0 10px' },
        },
        block.words,
      )
    case 'facts':
      return facts(block.rows, block.total)
    case 'list':
      return h(
        'ul',
        { className: 'ink', style: { ...words, paddingLeft: 24 } },
        ...block.lines.map((line, index) => h('li', { key: index, style: { marginBottom: 8 } }, ...runs(line))),
      )
    case 'button':
      return button(block)
    case 'notice':
      return notice(block)
    case 'code':
      return code(block)
  }
}

function button(block: Of<'button'>): ReactNode {
  return h(
    Section,
    { style: { padding: '8px 0 24px' } },
    h(
      Button,
      {
        href: block.url,
        className: 'button',
        style: {
          backgroundColor: PRIMARY,
          color: '#FFFFFF',
          fontSize: 19,
          fontWeight: 700,
          lineHeight: '24px',
          borderRadius: 14,
          padding: '16px 28px',
          textAlign: 'center',
        },
      },
      block.words,
    ),
  )
}

function notice(block: Of<'notice'>): ReactNode {
  const caution = block.tone === 'caution'
  return h(
    Section,
    { className: 'box', style: { ...box, padding: '16px 20px 0', margin: '6px 0 22px' } },
    block.title
      ? h(
          Text,
          {
            className: caution ? 'caution' : 'ink',
            style: { ...words, fontWeight: 700, margin: '0 0 4px', color: caution ? CAUTION : INK },
          },
          block.title,
        )
      : null,
    h(Text, { className: 'ink', style: { ...words, margin: '0 0 16px' } }, ...runs(block.line)),
  )
}

function code(block: Of<'code'>): ReactNode {
  return h(
    Section,
    { className: 'box', style: { ...box, margin: '6px 0 22px' } },
    h(
      Text,
      {
        className: 'ink',
        style: {
          fontSize: 36,
          lineHeight: '48px',
          fontWeight: 700,
          letterSpacing: '6px',
          textAlign: 'center',
          color: INK,
          margin: '16px 0',
          fontVariantNumeric: 'tabular-nums',
        },
      },
      block.code,
    ),
  )
}

function facts(rows: readonly Fact[], total: Fact | undefined): ReactNode {
  const row = (fact: Fact, key: string, last: boolean, bold: boolean): ReactNode => {
    const cell: CSSProperties = {
      fontSize: 18,
      lineHeight: '26px',
      color: INK,
      padding: '12px 0',
      verticalAlign: 'top',
      borderBottom: last ? 'none' : `1px solid ${LINE}`,
      fontWeight: bold ? 700 : 400,
    }
    return h(
      'tr',
      { key },
      h(
        'th',
        { scope: 'row', className: 'ink line', style: { ...cell, textAlign: 'left', paddingRight: 16 } },
        fact.label,
        fact.detail
          ? h(
              'div',
              { className: 'quiet', style: { fontSize: 16, lineHeight: '23px', color: QUIET, fontWeight: 400 } },
              ...runs(fact.detail),
            )
          : null,
      ),
      h(
        'td',
        {
          className: 'ink line',
          style: {
            ...cell,
            textAlign: 'right',
            fontWeight: 700,
            fontVariantNumeric: 'tabular-nums',
            whiteSpace: 'nowrap',
          },
        },
        ...runs(fact.value),
      ),
    )
  }
  return h(
    'table',
    {
      width: '100%',
      cellPadding: 0,
      cellSpacing: 0,
      border: 0,
      className: 'line',
      style: { borderTop: `1px solid ${LINE}`, borderBottom: `1px solid ${LINE}`, margin: '4px 0 22px' },
    },
    h(
      'tbody',
      null,
      ...rows.map((fact, index) => row(fact, String(index), !total && index === rows.length - 1, false)),
      total ? row(total, 'total', true, true) : null,
    ),
  )
}

function runs(line: Line): ReactNode[] {
  const list = typeof line === 'string' ? [line] : line
  return list.map((run, index) => {
    if (typeof run === 'string') return run
    if ('strong' in run) return h('strong', { key: index }, run.strong)
    return h(
      Link,
      { key: index, href: run.link, className: 'link', style: { color: LINK, textDecoration: 'underline' } },
      run.words,
    )
  })
}
