/** Statements sent on the page /exit, as the tests send and read them. */
import { sql } from 'kysely'
import type { ResponseOf } from '../../contract/api.ts'
import type { Buyer } from './funnel.ts'
import { browserOf, type Membership, tokenOf } from './membership.ts'
import { eventually, type Reply } from './service.ts'

export interface Exits {
  /** Sends a statement from a browser that knows nothing of the buyer. */
  leave(email: string, more?: Record<string, unknown>): Promise<Reply>
  /** The one statement under an address, once its first job is done. */
  acknowledged(email: string): ReturnType<typeof rowOf>
  /** Presses the button behind the link of the acknowledgement. */
  takeBack(email: string): Promise<Reply>
  /** Lets a withdrawal's wait be over. */
  waitIsOver(email: string): Promise<void>
  /** "amount-refunded" in cents of every charge of the buyer, oldest first. */
  chargesOf(buyer: Buyer): Promise<string[]>
}

export const statement = (email: string, more: Record<string, unknown> = {}) => ({
  kind: 'end',
  contract: 'subscription',
  name: 'Ada Lovelace',
  email,
  ...more,
})

export type Received = ResponseOf<'leave'>

const rowOf = (world: Membership, email: string) =>
  world.db.selectFrom('exit_requests').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

export function exitsOf(world: Membership): Exits {
  const exits: Exits = {
    leave: (email, more) => browserOf(world).post('/api/exit', statement(email, more)),
    acknowledged: (email) =>
      eventually(
        () => rowOf(world, email),
        ({ carried_out_at, session_ids }) => carried_out_at !== null || session_ids.length > 0,
      ),
    async takeBack(email) {
      const { data } = await world.mail(email, 'exit_received')
      return browserOf(world).post('/api/exit/take-back', { token: tokenOf(data.takeBackUrl) })
    },
    async waitIsOver(email) {
      const { id } = await exits.acknowledged(email)
      await sql`update outbox set next_attempt_at = now() where dedupe_key = ${`exit_withdrawal:${id}`}`.execute(
        world.db,
      )
      await eventually(
        () => rowOf(world, email),
        ({ carried_out_at, taken_back_at }) => carried_out_at !== null || taken_back_at !== null,
      )
    },
    async chargesOf({ sessionId }) {
      const { stripe_customer_id } = await world.db
        .selectFrom('customers')
        .select('stripe_customer_id')
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      const all = (await world.control('GET', 'objects?kind=charge&limit=1000')).data as Record<string, unknown>[]
      const own = all.filter(({ customer, status }) => customer === stripe_customer_id && status === 'succeeded')
      return own.map(({ amount, amount_refunded }) => `${String(amount)}-${String(amount_refunded)}`).reverse()
    },
  }
  return exits
}
