import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import type { AccountView } from '../../contract/members.ts'
import { productWords } from '../../contract/product-words.ts'
import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import { openedBy } from '../grants/open.ts'
import type { Deadline } from '../http/deadline.ts'
import { resumeHash } from '../mail/mailed-links.ts'
import { countListened } from '../money-back/money-back.queries.ts'
import { subscriptionsOf, viewSubscription } from './subscription-view.ts'
import { type Member, paidSessionsOf } from '../accounts/member.ts'
import { hasPassword } from '../accounts/sign-in.ts'

/** the account and what it may open. */
export async function viewAccount(deps: Deps, member: Member, by: Deadline): Promise<AccountView> {
  const { db } = deps
  const { programme, guides } = await openedBy(db, member.sessionIds)
  const rows = await subscriptionsOf(db, member.sessionIds)
  const paid = member.emailVerified ? [] : await paidSessionsOf(deps, member.email)
  return {
    email: member.email,
    name: member.name,
    emailVerified: member.emailVerified,
    hasPassword: await hasPassword(deps, member.userId),
    ordersToJoin: paid.filter((id) => !member.sessionIds.includes(id)).length,
    programme: programme ? 'open' : 'closed',
    guides,
    readings: await readingsOf(deps, member),
    listened: await countListened(db, member.userId),
    subscriptions: await Promise.all(rows.map((row) => viewSubscription(deps, row, by))),
  }
}

/**
 * where the paid readings open: in a browser that holds the visit as they are, in any other one by a link, which
 * is for an account with the proved address of that visit, because opening it proves that address.
 */
async function readingsOf({ config, db }: Deps, member: Member): Promise<NonNullable<AccountView['readings']>> {
  if (member.sessionIds.length === 0) return []
  const rows = await db
    .selectFrom('product_access_grants as g')
    .innerJoin('sessions as s', 's.id', 'g.session_id')
    .select(['s.id', 's.email', 'g.product_id'])
    .where('s.id', 'in', member.sessionIds)
    .where('g.granted_via', '=', 'reading')
    .where('g.revoked_at', 'is', null)
    .orderBy('g.id', 'desc')
    .execute()
  return rows.flatMap(({ id, email, product_id }) => {
    const productId = PRODUCT_IDS.find((one) => one === product_id)
    if (!productId) return []
    const proved = member.emailVerified && email?.toLowerCase() === member.email
    const facts = { subject: id, to: member.email, expiresAt: new Date(Date.now() + DAY) }
    const url = proved ? `/redirect/${id}?to=summary${resumeHash(config, facts)}` : `/summary/${id}`
    return [{ title: productWords(productId), url }]
  })
}
