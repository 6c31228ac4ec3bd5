/** A letter as plain text, for those who read mail that way: the same words, with each address on a separate line. */
import type { Foot } from './letter.foot.ts'
import type { Block, Fact, Letter, Line } from './letter.ts'
import type { MailIdentity } from './mail.ts'

const WIDTH = 72

export function toText(letter: Letter, foot: Foot, identity: MailIdentity): string {
  const parts = [
    letter.heading + '\n' + '='.repeat(Math.min(letter.heading.length, WIDTH)),
    ...letter.blocks.map(blockOf),
  ]
  const ways = foot.ways.map(({ words, url }) => `${words}:\n${url}`)
  return [
    identity.productName,
    ...parts,
    '-'.repeat(WIDTH),
    ...ways,
    `Questions? Write to ${foot.contact.email}.`,
    wrap(foot.because),
    wrap(foot.sender),
  ]
    .join('\n\n')
    .concat('\n')
}

function blockOf(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return lines(block.line)
    case 'heading':
      return `${block.words}\n${'-'.repeat(Math.min(block.words.length, WIDTH))}`
    case 'facts':
      return [...block.rows, ...(block.total ? [block.total] : [])].map(factOf).join('\n')
    case 'list':
      return block.lines.map((line) => `- ${lines(line, '  ')}`).join('\n')
    case 'button':
      return `${block.words}:\n${block.url}`
    case 'notice':
      return `* ${lines(block.title ? [sentenceOf(block.title), ...runsOf(block.line)] : block.line, '  ')}`
    case 'code':
      return `    ${block.code}`
  }
}

function factOf(fact: Fact): string {
  const head = `- ${fact.label}: ${lines(fact.value, '  ')}`
  return fact.detail ? `${head}\n  ${lines(fact.detail, '  ')}` : head
}

function runsOf(line: Line) {
  return typeof line === 'string' ? [line] : line
}

/** The words of a line, wrapped; addresses follow below, so that none is broken or swallows a full stop. */
function lines(line: Line, indent = ''): string {
  const urls: string[] = []
  const text = runsOf(line)
    .map((run) => {
      if (typeof run === 'string') return run
      if ('strong' in run) return run.strong
      urls.push(run.link)
      return run.words
    })
    .join('')
  return [wrap(text, indent), ...urls.map((url) => indent + url)].join('\n')
}

function wrap(text: string, indent = ''): string {
  const rows: string[] = []
  let row = ''
  for (const word of text.trim().split(/\s+/)) {
    if (row && indent.length + row.length + 1 + word.length > WIDTH) {
      rows.push(row)
      row = word
    } else row = row ? `${row} ${word}` : word
  }
  if (row) rows.push(row)
  return rows.join(`\n${indent}`)
}

/** A title as the beginning of a line: "Not for you?" ends with a mark already. */
const sentenceOf = (title: string): string => `${title}${/[?!.]$/.test(title) ? '' : '.'} `
