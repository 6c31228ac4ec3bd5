/** The world that many buyers share: one clock, everyone's letters, and the service that writes them. */
import { sql } from 'kysely'
import { readConfig } from '../../../payments-service/config.ts'
import { createLog } from '../../../payments-service/http/logging.ts'
import { identityFrom } from '../../../payments-service/mail/identity.ts'
import { renderText } from '../../../payments-service/mail/render.ts'
import type { MailJob } from '../../../payments-service/mail/sender.ts'
import { writeMail } from '../../../payments-service/notices/notices.ts'
import { createService, type Service } from '../../../payments-service/service.ts'
import { isFailure } from '../../../payments-service/stripe/failure.ts'
import { environment } from '../../service/service.ts'
import { pause } from '../random.ts'
import type { World } from '../world.ts'

const [MINUTE, DAY] = [60, 86_400]

/** A letter that its reader has received. */
interface Letter {
  sessionId: string
  kind: string
  text: string
  at: number
}

export class Stage {
  readonly world: World
  private readonly letters = new Map<string, Letter>()
  /** From which wall clock time (ms) on an offset (s) of the bank's clock applies. */
  private readonly offsets = [{ from: 0, offset: 0 }]
  private price: string | undefined

  /** The service without its workers, to run an operator's commands and send planned mails. */
  readonly service: Service

  constructor(world: World) {
    this.world = world
    const env = environment({ DATABASE_URL: world.databaseUrl, STRIPE_API_BASE: world.stripeUrl })
    this.service = createService(readConfig(env), createLog('silent'))
  }

  offset = (wall = Date.now()): number => this.offsets.findLast(({ from }) => from <= wall)?.offset ?? 0
  /** The bank's clock, in seconds with fractions. */
  now = (wall = Date.now()): number => wall / 1000 + this.offset(wall)

  /** A monthly price that the catalogue does not know. */
  async otherPrice(): Promise<string> {
    const { stripe } = this.world
    if (this.price === undefined) {
      const known = await stripe('dashboard', 'GET', '/v1/prices', { 'lookup_keys[0]': 'monthly_usd' })
      const { product, recurring } = known.body.data[0]
      const made = await stripe('dashboard', 'POST', '/v1/prices', {
        product,
        currency: 'usd',
        unit_amount: '4500',
        'recurring[interval]': recurring.interval,
        'recurring[interval_count]': String(recurring.interval_count),
      })
      this.price = made.body.id as string
    }
    return this.price
  }

  /** Moves the clock; planned letters due by then are sent first, while what they say is still current. */
  async moveTo(seconds: number): Promise<void> {
    await this.readOutbox(seconds)
    const before = Date.now()
    const { offset } = await this.world.control('POST', 'clock', { to: Math.floor(seconds) })
    // what was written during the move belongs to the new time, since events arrive while it moves
    this.offsets.push({ from: before, offset })
    await this.carryOutWithdrawals()
  }

  /** A withdrawal by the form waits for a day of the database's clock, which does not move with the bank's. */
  private async carryOutWithdrawals(): Promise<void> {
    const { db } = this.world
    const waiting = db.selectFrom('outbox').select(['id', 'created_at']).where('kind', '=', 'exit_withdrawal')
    const rows = await waiting.where('sent_at', 'is', null).where('dead_at', 'is', null).execute()
    const due = rows.filter(({ created_at }) => this.now(created_at.getTime()) + DAY <= this.now())
    if (due.length === 0) return
    const ids = due.map(({ id }) => id)
    await db.updateTable('outbox').set({ next_attempt_at: new Date() }).where('id', 'in', ids).execute()
  }

  /** Delays events by two seconds for a while. */
  async late(): Promise<void> {
    await this.world.control('POST', 'webhooks', { delay_ms: 2_000 })
    setTimeout(() => void this.world.control('POST', 'webhooks', { delay_ms: 0 }).catch(() => undefined), 3_000)
  }

  /** Waits until the service has processed all events and its outbox, at most `within` ms. */
  async settle(within: number, retry = false): Promise<void> {
    for (const end = Date.now() + within; Date.now() < end; await pause(40)) {
      const { rows } = await sql<{ n: number }>`select
        (select count(*)::int from webhook_events
          where handled_at is null and (last_error is null or next_attempt_at < now() + interval '0.2 s' or
            (${retry} and attempts < 5))) +
        (select count(*)::int from outbox where sent_at is null and dead_at is null
          and (last_error is null or next_attempt_at < now() + interval '0.2 s' or (${retry} and attempts < 5))
          and (kind in ('refund_duplicate', 'money_back', 'end_subscription', 'undo_add_on', 'exit_received') or
            (kind = 'exit_withdrawal' and next_attempt_at < now()))) +
        (select count(*)::int from subscriptions
          where cancel_requested_at is not null and cancel_done_at is null and ended_at is not null) as n`.execute(
        this.world.db,
      )
      const { pending } = await this.world.control('GET', 'webhooks')
      if (rows[0]?.n === 0 && pending === 0) return
      if (!retry) continue
      await sql`update webhook_events set next_attempt_at = now() where handled_at is null
        and last_error is not null and attempts < 5`.execute(this.world.db)
      await sql`update outbox set next_attempt_at = now() where sent_at is null and dead_at is null
        and kind not like 'conversion%' and kind not like 'mail:%' and last_error is not null and attempts < 5
          and next_attempt_at > now()`.execute(this.world.db)
    }
  }

  /**
   * Treats what waits in the outbox as delivered, and planned letters once they are due. Each is written once, as the
   * service would write it now.
   */
  async readOutbox(until = this.now(), sessionIds?: readonly string[]): Promise<void> {
    const jobs = await this.world.db
      .selectFrom('outbox')
      .selectAll()
      .where('kind', 'like', 'mail:%')
      .$if(sessionIds !== undefined, (query) => query.where('session_id', 'in', [...(sessionIds ?? [])]))
      .execute()
    for (const { created_at, next_attempt_at, ...job } of jobs) {
      if (this.letters.has(job.id)) continue
      const { notAfter } = job.payload as { notAfter?: string }
      const planned = next_attempt_at.getTime() > created_at.getTime() + MINUTE * 1000
      const at = planned ? next_attempt_at.getTime() / 1000 : this.now(created_at.getTime())
      if (at > until || (planned && notAfter && Date.parse(notAfter) / 1000 < at)) continue
      const mail = await this.write(job as unknown as MailJob)
      if (typeof mail === 'string') continue
      const text = renderText(mail, identityFrom('Eyes <eyes@example.com>'), new Date(at * 1000))
      this.letters.set(job.id, { sessionId: job.session_id ?? '', kind: mail.kind, text, at })
    }
  }

  /** Writes a letter; what goes wrong for the service may hit this reader instead, who tries again at once. */
  private async write(job: MailJob, tries = 4): ReturnType<typeof writeMail> {
    try {
      return await writeMail(this.service.deps, job)
    } catch (error) {
      if (!isFailure(error) || tries === 0) throw error
      await pause(300)
      return this.write(job, tries - 1)
    }
  }

  async mailsOf(sessionIds: readonly string[]): Promise<Letter[]> {
    if (sessionIds.length > 0) await this.readOutbox(this.now(), sessionIds)
    return this.lettersOf(sessionIds)
  }

  /** The letters of these visits read up to now. */
  lettersOf(sessionIds: readonly string[]): Letter[] {
    return [...this.letters.values()].filter(({ sessionId }) => sessionIds.includes(sessionId))
  }
}
