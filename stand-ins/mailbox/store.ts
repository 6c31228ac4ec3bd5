/** The mails of the local mailbox: one .eml file each, as received, in one folder. The folder is the only state. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

export interface MessageSummary {
  id: string
  receivedAt: string
  from: string
  /** Addresses of the envelope: the actual recipients. */
  to: string[]
  subject: string
  messageId: string | null
  /** `X-Mail-Kind`, the template it was made from. */
  kind: string | null
  preview: string
}

export interface Message extends MessageSummary {
  text: string | null
  html: string | null
  headers: { name: string; value: string }[]
  /** Links of the HTML part, in order; of the text part when there is no HTML. */
  links: { href: string; words: string }[]
  attachments: { filename: string | null; mimeType: string; size: number }[]
}

export interface Filter {
  to?: string
  kind?: string
  /** Part of an address, a subject or the text. */
  query?: string
}

const NAME = /^(\d{13})-[0-9a-f]{12}\.eml$/

export class MailStore {
  readonly folder: string
  /** Parsed once: a received mail never changes. */
  readonly #parsed = new Map<string, Message>()
  readonly #waiting = new Set<() => void>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Keeps a message. Resolves when it is on disk, whole, under its name: only then may SMTP say 250. */
  async add(raw: Buffer, envelope: { from: string; to: readonly string[] }): Promise<string> {
    await mkdir(this.folder, { recursive: true })
    const name = `${Date.now()}-${randomBytes(6).toString('hex')}.eml`
    // the header lines that a delivering mail server adds
    const top = [`Return-Path: <${envelope.from}>`, ...envelope.to.map((address) => `Delivered-To: ${address}`)]
    const file = join(this.folder, name)
    const handle = await open(`${file}.part`, 'wx')
    try {
      await handle.writeFile(Buffer.concat([Buffer.from(`${top.join('\r\n')}\r\n`), raw]))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(`${file}.part`, file)
    for (const wake of this.#waiting) wake()
    return name.slice(0, -4)
  }

  /** Newest first. */
  async list(filter: Filter = {}): Promise<MessageSummary[]> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => NAME.test(name)).sort()
    const messages: MessageSummary[] = []
    for (const name of names.reverse()) {
      const message = await this.get(name.slice(0, -4))
      if (message && matches(message, filter)) messages.push(summaryOf(message))
    }
    return messages
  }

  /** One message; undefined for an unknown id. */
  async get(id: string): Promise<Message | undefined> {
    const known = this.#parsed.get(id)
    if (known) return known
    const raw = await this.raw(id)
    if (!raw) return undefined
    const message = await parse(id, raw)
    this.#parsed.set(id, message)
    return message
  }

  /** The file as it was received. */
  async raw(id: string): Promise<Buffer | undefined> {
    // the pattern also keeps the id from leaving the folder
    if (!NAME.test(`${id}.eml`)) return undefined
    return readFile(join(this.folder, `${id}.eml`)).catch(() => undefined)
  }

  /** Removes every message. Other files in the folder are kept. */
  async clear(): Promise<number> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => NAME.test(name))
    await Promise.all(names.map((name) => rm(join(this.folder, name), { force: true })))
    this.#parsed.clear()
    return names.length
  }

  /** Resolves at the next message, or when the time is up. */
  async next(milliseconds: number): Promise<void> {
    let wake = () => {}
    await new Promise<void>((done) => {
      const timer = setTimeout(done, milliseconds)
      wake = () => {
        clearTimeout(timer)
        done()
      }
      this.#waiting.add(wake)
    })
    this.#waiting.delete(wake)
  }
}

function summaryOf(message: Message): MessageSummary {
  const { id, receivedAt, from, to, subject, messageId, kind, preview } = message
  return { id, receivedAt, from, to, subject, messageId, kind, preview }
}

function matches(message: Message, filter: Filter): boolean {
  const has = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())
  if (filter.to && !message.to.some((address) => address.toLowerCase() === filter.to?.trim().toLowerCase()))
    return false
  if (filter.kind && message.kind !== filter.kind) return false
  if (!filter.query) return true
  return [...message.to, message.subject, message.text ?? ''].some((text) => has(text, filter.query ?? ''))
}

async function parse(id: string, raw: Buffer): Promise<Message> {
  const mail = await PostalMime.parse(raw)
  const text = mail.text?.trimEnd() ?? null
  const html = mail.html ?? null
  const delivered = mail.headers.filter(({ key }) => key === 'delivered-to').map(({ value }) => value)
  return {
    id,
    receivedAt: new Date(Number(id.slice(0, 13))).toISOString(),
    from: mail.from?.address ?? '',
    to: delivered,
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? null,
    kind: mail.headers.find(({ key }) => key === 'x-mail-kind')?.value ?? null,
    preview: (text ?? '').split(/\n\n/)[2]?.replace(/\s+/g, ' ').slice(0, 140) ?? '',
    text,
    html,
    headers: mail.headers.map(({ key, value, originalKey }) => ({ name: originalKey ?? key, value })),
    links: html ? linksOfHtml(html) : linksOfText(text ?? ''),
    attachments: mail.attachments.map((part) => ({
      filename: part.filename,
      mimeType: part.mimeType,
      size: typeof part.content === 'string' ? Buffer.byteLength(part.content) : part.content.byteLength,
    })),
  }
}

function linksOfHtml(html: string): Message['links'] {
  return [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi)].map(([, href = '', inner = '']) => ({
    href: unescape(href),
    words: unescape(inner.replace(/<!--[\s\S]{0,9999}?-->|<[^<>]*>/g, '')).trim(),
  }))
}

function linksOfText(text: string): Message['links'] {
  return (text.match(/https?:\/\/\S+/g) ?? []).map((href) => ({ href, words: href }))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function unescape(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(parseInt(name.slice(2), 16))
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
    return ENTITIES[name] ?? whole
  })
}
