/** H-04: every mail to someone with a live subscription carries the cancellation link, as delivered. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, startMailbox } from '../../stand-ins/mailbox/mailbox.ts'
import type { Message } from '../../stand-ins/mailbox/store.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
let mailbox: Mailbox
const folder = mkdtempSync(join(tmpdir(), 'mailbox-'))
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0, folder })
  world = await startMembership({ SMTP_URL: mailbox.smtpUrl })
})
afterAll(async () => {
  await world.stop()
  await mailbox.stop()
  rmSync(folder, { recursive: true })
})

/** The newest delivered mail of a kind. */
async function delivered(to: string, kind: string): Promise<Message> {
  const [first] = await eventually(
    () => mailbox.store.list({ to, kind }),
    (list) => list.length > 0,
  )
  const message = first && (await mailbox.store.get(first.id))
  if (!message) throw new Error(`no ${kind} to ${to}`)
  return message
}
const wayOut = ({ links }: Message): string[] =>
  links.filter(({ words }) => words === 'Cancel your subscription').map(({ href }) => href)

test(
  'H-04 mails of the account and of links carry the way out while a subscription lives, and none afterwards',
  { timeout: 240_000 },
  async () => {
    const email = 'lives@example.com'
    const { browser, path } = await world.member({ email })
    const anybody = browserOf(world)
    const asked: Record<string, () => Promise<{ status: number }>> = {
      password_reset: () => anybody.post('/api/account/password/forgot', { email }),
      magic_link: () => anybody.post('/api/account/magic-link', { email }),
      resume_link: () => anybody.post(path('/resume-link')),
      email_verification_code: () => browser.post('/api/account/join'),
      account_welcome: async () => ({ status: 200 }),
    }
    for (const [kind, ask] of Object.entries(asked)) {
      expect([kind, (await ask()).status]).toEqual([kind, 200])
      const ways = wayOut(await delivered(email, kind))
      expect([kind, ways.length]).toEqual([kind, 1])
      const [cancelUrl] = ways
      const seen = await anybody.post('/api/links/cancel/view', { token: tokenOf(cancelUrl ?? '') })
      expect([kind, seen.body.state]).toEqual([kind, 'valid'])
    }

    const [cancelUrl = ''] = wayOut(await delivered(email, 'password_reset'))
    expect((await anybody.post('/api/links/cancel', { token: tokenOf(cancelUrl) })).status).toBe(200)
    expect(wayOut(await delivered(email, 'cancellation_confirmed'))).toEqual([])
    await mailbox.store.clear()
    await anybody.post('/api/account/magic-link', { email })
    expect(wayOut(await delivered(email, 'magic_link'))).toEqual([])
  },
)

test('H-04 a mail to somebody who has bought nothing offers nothing to cancel', async () => {
  const visitor = await world.buyer('looks@example.com')
  await visitor.browser.post(visitor.path('/resume-link'))
  expect(wayOut(await delivered('looks@example.com', 'resume_link'))).toEqual([])
})
