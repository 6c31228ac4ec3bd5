/** The service with the sample programme, and what a buyer does after the purchase. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/settings.ts'
import { testLake, TOKEN, type TestLake } from '../../stand-ins/content-lake/fixture.ts'
import type { Mail, MailKind } from '../../payments-service/mail/mail.ts'
import { type Buyer, type Funnel, type FunnelOptions, startFunnel } from './funnel.ts'
import { startSending } from './mails.ts'
import { Browser, eventually } from './service.ts'

export const PASSWORD = 'Better Eyes 1'
export const twice = { password: PASSWORD, passwordConfirmation: PASSWORD }

interface MemberOptions {
  email?: string
  product?: Parameters<Buyer['pay']>[0]
  card?: string
  /** As the proxy in front names it. */
  country?: string
}

export interface Membership extends Funnel {
  /** A buyer with an account, signed in. */
  member(options?: MemberOptions): Promise<Buyer>
  /** The mails sent to an address. */
  mails(to: string): Promise<Mail[]>
  mail<K extends MailKind>(to: string, kind: K): Promise<Extract<Mail, { kind: K }>>
  /** A page confirms a set-up with a test method, as Stripe.js does. */
  confirmSetup(setup: { setupIntentId: string; clientSecret: string }, method: string): Promise<void>
  /** corrects the order's address with the code that is mailed to the right one. */
  correct(buyer: Buyer, email: string): Promise<void>
  /** Moves the sandbox's clock by days and lets the service see what happened. */
  days(count: number): Promise<void>
  /** Writes to the content lake, as the Studio does. */
  editor: TestLake['client']
}

export async function startMembership(
  env: Record<string, string> = {},
  options: Pick<FunnelOptions, 'webhooks' | 'background'> = {},
): Promise<Membership> {
  const lake = await testLake({ seed: join(root, 'studio', 'dataset') })
  const funnel = await startFunnel({
    ...options,
    env: { SANITY_API_HOST: lake.lake.url, SANITY_PROJECT_ID: 'local0001', SANITY_READ_TOKEN: TOKEN, ...env },
  })
  // with a mail server configured, the service sends by itself
  const sending = env['SMTP_URL'] ? undefined : await startSending(funnel.service)
  const mails = async (to: string): Promise<Mail[]> => (await sending?.to(to)) ?? []
  const world: Membership = {
    ...funnel,
    mails,
    editor: lake.client,
    async mail(to, kind) {
      const found = await eventually(
        async () => (await mails(to)).filter((mail) => mail.kind === kind),
        (list) => list.length > 0,
      )
      return found.at(-1) as never
    },
    async member({ product = 'trial_1', card, country, ...given } = {}) {
      const email = given.email ?? `member-${crypto.randomUUID().slice(0, 8)}@example.com`
      const buyer = await funnel.buyer(email, country)
      await buyer.pay(product, card)
      const made = await buyer.browser.post(buyer.path('/account'), twice)
      if (made.status !== 200) throw new Error(`no account: ${JSON.stringify(made.body)}`)
      return buyer
    },
    async correct({ browser, path }, email) {
      const asked = await browser.post(path('/email/correction'), { email })
      if (asked.status !== 200) throw new Error(`not corrected: ${JSON.stringify(asked.body)}`)
      const { code } = (await world.mail(email, 'email_verification_code')).data
      const done = await browser.post(path('/email/correction/confirm'), { email, code })
      if (done.status !== 200) throw new Error(`not corrected: ${JSON.stringify(done.body)}`)
    },
    async confirmSetup({ setupIntentId, clientSecret }, method) {
      const reply = await fetch(`${funnel.stripeUrl}/_stripe/v1/setup_intents/${setupIntentId}/confirm`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${funnel.config.stripe.publishableKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ client_secret: clientSecret, payment_method: method }).toString(),
      })
      if (!reply.ok) throw new Error(`not confirmed: ${await reply.text()}`)
    },
    async days(count) {
      await funnel.control('POST', 'clock', { advance: Math.round(count * 86_400) })
    },
    async stop() {
      await sending?.stop()
      await funnel.stop()
      await lake.stop()
      rmSync(lake.folder, { recursive: true, force: true })
    },
  }
  return world
}

/** The token of a link in a mail. */
export function tokenOf(url: string): string {
  return new URL(url).hash.slice(1)
}

export const browserOf = (world: { url: string }): Browser => new Browser(world.url)
