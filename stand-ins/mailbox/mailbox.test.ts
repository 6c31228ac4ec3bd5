import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMailbox, type Mailbox } from './mailbox.ts'
import type { Message, MessageSummary } from './store.ts'

let mailbox: Mailbox
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  mailbox = await startMailbox({ port: 0, smtpPort: 0, folder })
})
afterAll(async () => {
  await mailbox.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => void (await mailbox.store.clear()))

async function deliver(to: string | string[], more: object = {}): Promise<void> {
  const transport = nodemailer.createTransport({ url: mailbox.smtpUrl })
  await transport.sendMail({
    from: 'a@sample.test',
    to,
    subject: 'Hello & <welcome>',
    text: 'Text https://sample.test/x',
    ...more,
  })
  transport.close()
}
const get = (path: string) => fetch(mailbox.url + path)
const list = async (query = '') =>
  ((await (await get(`/api/messages${query}`)).json()) as { messages: MessageSummary[] }).messages

test('A-06 tests read mails and their links as JSON', async () => {
  await deliver('ada@example.org', {
    html: '<p>Hi</p><a href="https://sample.test/?a=1&amp;b=2"><b>Go &amp; see</b></a>',
  })
  await deliver('bob@example.org')
  const [found] = await list('?to=ADA@example.org')
  expect(found).toMatchObject({ to: ['ada@example.org'], subject: 'Hello & <welcome>', from: 'a@sample.test' })
  const message = (await (await get(`/api/messages/${found!.id}`)).json()) as Message
  expect(message.links).toEqual([{ href: 'https://sample.test/?a=1&b=2', words: 'Go & see' }])
  expect(message.text).toContain('Text https://sample.test/x')
  expect((await list()).map(({ to }) => to[0])).toEqual(['bob@example.org', 'ada@example.org'])
  expect(await list('?query=nothing+like+it')).toEqual([])
  expect((await get('/api/messages/1-2')).status).toBe(404)
})

test('a waiting test gets the mail as soon as it is there, and an empty list when none comes', async () => {
  const waiting = list('?to=late@example.org&wait=10000')
  await deliver('late@example.org')
  expect(await waiting).toHaveLength(1)
  expect(await list('?to=nobody@example.org&wait=50')).toEqual([])
})

test('pages show mails as text, never as their own markup', async () => {
  await deliver('ada@example.org', { html: '<script>alert(1)</script><p>Hi</p>' })
  const [found] = await list()
  for (const path of ['/', `/messages/${found!.id}`]) {
    const response = await get(path)
    const body = await response.text()
    expect(body).toContain('Hello &#38; &#60;welcome&#62;')
    expect(body).not.toContain('<welcome>')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  const html = await get(`/messages/${found!.id}/html`)
  expect(html.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
  )
  const raw = await get(`/messages/${found!.id}/raw`)
  expect(await raw.text()).toContain('Delivered-To: ada@example.org')
})

test('unknown pages and ids that leave the folder are not found', async () => {
  for (const path of ['/nothing', '/messages/none', '/messages/..%2f..%2fetc%2fpasswd', '/messages/1-2/raw']) {
    expect((await get(path)).status, path).toBe(404)
  }
  expect((await get('/healthz')).status).toBe(200)
})

test('all mails are deleted on request, not by another site', async () => {
  await deliver('ada@example.org')
  const foreign = await fetch(`${mailbox.url}/delete-all`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  })
  expect(foreign.status).toBe(403)
  expect(await list()).toHaveLength(1)
  const own = await fetch(`${mailbox.url}/delete-all`, { method: 'POST', redirect: 'manual' })
  expect(own.status).toBe(303)
  expect(await list()).toEqual([])
})

test('a message that is too large is refused', async () => {
  await expect(deliver('ada@example.org', { text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toMatchObject({
    responseCode: 552,
  })
  expect(await list()).toEqual([])
})

function run(environment: Record<string, string>): Promise<{ code: number | null; out: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'mailbox.ts')], {
      env: { PATH: process.env['PATH'], ...environment } as NodeJS.ProcessEnv,
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes('\n')) child.kill('SIGTERM')
    })
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.once('exit', (code) => done({ code, out }))
  })
}

test('as a process it says where it listens, stops on request and refuses production', async () => {
  const place = join(folder, 'process')
  const started = await run({ PORT: '0', SMTP_PORT: '0', MAILBOX_DATA: place })
  expect(started.code).toBe(0)
  expect(JSON.parse(started.out)).toMatchObject({
    mailbox: expect.stringMatching(/^http:/),
    smtp: expect.stringMatching(/^smtp:/),
  })
  expect(await run({ NODE_ENV: 'production', MAILBOX_DATA: place })).toMatchObject({ code: 2 })
  expect(await run({ PORT: 'x', MAILBOX_DATA: place })).toMatchObject({ code: 2 })
  const taken = await run({ PORT: new URL(mailbox.url).port, SMTP_PORT: '0', MAILBOX_DATA: place })
  expect(taken).toMatchObject({ code: 1, out: expect.stringContaining('EADDRINUSE') })
})
