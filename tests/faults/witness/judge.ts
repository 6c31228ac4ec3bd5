/** Compares what one buyer was told with what the bank did. Pure. */
import { type Charge, type Claim, dayOf, dollars, type Ledger, type Refund, type Statement } from './claims.ts'

/** Seconds between the bank's own steps and the words about them. */
const BLINK = 2
/** For how many seconds a press may be under way on a slow machine. */
const PRESS = 60
/** Seconds until pages have heard of what was changed in Stripe's dashboard. */
const HEARD = 60
const DAY = 86_400

type Said<Kind extends Claim['kind']> = Statement & { claim: Extract<Claim, { kind: Kind }> }

/** One lie in words; the part before the colon names its kind. */
export type Lie = string

export interface Facts {
  statements: readonly Statement[]
  ledger: Ledger
  /** The buyer's own zone. */
  zone: string
  /** Unix seconds of the bank's clock: nothing after it is known. */
  end: number
}

/** Everything that was said and did not happen, or happened without being said. */
export function judge(facts: Facts): Lie[] {
  const told = { ...facts, statements: [...facts.statements].sort((a, b) => a.at - b.at) }
  return [
    ...orders(told),
    ...renewals(told),
    ...laterOnes(told),
    ...comings(told),
    ...receipts(told),
    ...invoices(told),
    ...refunds(told),
    ...endings(told),
    ...listings(told),
    ...returns(told),
  ]
}

const saying = <Kind extends Claim['kind']>(facts: Facts, kind: Kind): Said<Kind>[] =>
  facts.statements.filter((one): one is Said<Kind> => one.claim.kind === kind)

const back = ({ refunds: list }: Charge): number =>
  list.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0)
const kept = (charge: Charge): boolean => !charge.lost && back(charge) < charge.amount
/** The bank has it: the buyer disputes it, and it is not decided. */
const held = (charge: Charge): boolean => charge.held ?? false

/** Every charge that was not the subscription's has a press, and the press showed its amount. */
function orders(facts: Facts): Lie[] {
  const lies: Lie[] = []
  const presses = saying(facts, 'pressed')
  const used = new Set<Statement>()
  for (const charge of facts.ledger.charges.filter(({ renewal }) => !renewal)) {
    const before = presses.filter(({ at }) => at <= charge.at + BLINK)
    // the press that paid: the last one before the charge succeeded
    const own = before.filter(({ claim }) => claim.intent === charge.intent)
    const nameless = before.filter((one) => one.claim.intent === null && !used.has(one))
    const press =
      own.findLast(({ claim }) => claim.amount === charge.amount) ??
      own.at(-1) ??
      nameless.find(({ claim }) => claim.amount === charge.amount)
    if (!press) lies.push(`a charge nobody announced: ${dollars(charge.amount)}, and no button was pressed for it`)
    else {
      used.add(press)
      const last = own.at(-1) ?? press
      if (last.claim.amount !== charge.amount)
        lies.push(
          `another amount than shown: the ${last.source} showed ${dollars(last.claim.amount)}, charged ` +
            `${dollars(charge.amount)}`,
        )
    }
  }
  for (const { at, source, claim } of saying(facts, 'uncharged')) {
    const intent = claim.intent ?? presses.findLast((one) => one.at <= at)?.claim.intent
    const charge = facts.ledger.charges.find((one) => one.intent === intent && one.at < at - BLINK && kept(one))
    if (charge) lies.push(`"not charged": the ${source} said so, ${dollars(charge.amount)} was charged`)
  }
  return [...lies, ...failedPresses(facts)]
}

/** A press that is said to have charged nothing has charged nothing, also where the answer to it was lost. */
function failedPresses(facts: Facts): Lie[] {
  const presses = saying(facts, 'pressed')
  const debts = saying(facts, 'paying')
  const denials = saying(facts, 'not taken')
  return denials.flatMap(({ at, source, claim: { amount, since, intent } }): Lie[] => {
    // a press of another tab in the same moment has its own charge
    const beside = presses.filter((one) => one.at !== since && Math.abs(one.at - since) < BLINK)
    // those of a debt follow each other quickly: only one that was under way with this one is of another tab
    const wasOver = (press: Statement) => denials.some((one) => one.claim.since === press.at && one.at <= since)
    const debtsBeside = debts.filter(
      (one) => one.at !== since && one.at > since - BLINK && one.at <= at && !wasOver(one),
    )
    const nameless = [...beside.filter(({ claim }) => claim.intent === null), ...debtsBeside]
    if (nameless.some(({ claim }) => claim.amount === amount)) return []
    const earlier = presses.filter((one) => one.at < since)
    const others = new Set([...earlier, ...beside].map(({ claim }) => claim.intent))
    // the bank's times are whole seconds: a charge in that of the next press is the next one's
    const own = presses.filter(({ claim }) => intent === undefined || claim.intent === intent)
    const next = [...own, ...debts].filter((one) => one.at > at).map((one) => one.at)
    const isItsOwn = (one: Charge) =>
      one.at < Math.floor(Math.min(...next)) && (intent === undefined ? !others.has(one.intent) : one.intent === intent)
    const charge = facts.ledger.charges.find(
      (one) => one.amount === amount && one.at >= Math.floor(since) && one.at <= at + BLINK && isItsOwn(one),
    )
    return charge && kept(charge) ? [`"not charged": the ${source} said so, ${dollars(amount)} was charged`] : []
  })
}

/** Statements about the subscription's charges: each replaces the one before it. */
function schedule(facts: Facts): Said<'next' | 'due' | 'nothing' | 'changed'>[] {
  const { charges, succeeded } = facts.ledger
  const takenBack = new Set(saying(facts, 'taken back').map(({ claim }) => claim.intent))
  const changes = saying(facts, 'changed').map(({ at }) => at)
  return facts.statements.filter((one): one is Said<'next' | 'due' | 'nothing' | 'changed'> => {
    const { claim } = one
    if (claim.kind === 'next' && claim.intent !== undefined) {
      if (takenBack.has(claim.intent)) return false
      // an intent that was refused is paid by a later press, which showed the day as it was then
      const last = facts.statements.findLast(
        (other) => other.claim.kind === 'next' && other.claim.intent === claim.intent,
      )
      if (last !== one) return false
      const order = charges.find(({ intent }) => intent === claim.intent)
      return order ? kept(order) : succeeded.has(claim.intent)
    }
    const stale = changes.some((at) => at <= one.at && one.at < at + HEARD)
    if (stale && (claim.kind === 'next' || claim.kind === 'due')) return false
    return ['next', 'due', 'nothing', 'changed'].includes(claim.kind)
  })
}

/** Every charge of the subscription matches the last statement before it: amount, and day in the buyer's zone. */
function renewals(facts: Facts): Lie[] {
  const said = schedule(facts)
  return facts.ledger.charges
    .filter((charge) => charge.renewal && !isAskedFor(facts, charge))
    .flatMap((charge): Lie[] => {
      const undone = (one: Statement) => one.claim.kind === 'nothing' && revived(facts, one, charge.at)
      const last = said.findLast((one) => one.at < charge.at && !undone(one))
      const it = `${dollars(charge.amount)} on ${dayOf(charge.at, facts.zone)}`
      if (!last) return [`a charge nobody announced: ${it}, and nothing was ever said about it`]
      const over = said.findLast((one) => one.at < charge.at && one.claim.kind === 'nothing' && !undone(one))
      const { claim, source } = over ?? last
      if (claim.kind === 'changed') return []
      // a charge that was fully refunded does not count
      if (claim.kind === 'nothing')
        return back(charge) >= charge.amount ? [] : [`charged after "nothing more": ${it}, after the ${source}`]
      if (claim.amount !== charge.amount)
        return [`another amount than announced: ${it}, the ${source} said ${dollars(claim.amount)}`]
      if (claim.kind === 'next' && !onDay(charge, claim.day, facts.zone))
        return [`charged on another day: ${it}, the ${source} said ${claim.day}`]
      return []
    })
}

/** Whether it is what a page said that a press would pay: no day was promised for it. A press pays once. */
const isAskedFor = (facts: Facts, charge: Charge): boolean =>
  saying(facts, 'paying').some(({ at, claim: { amount } }) => {
    const paid = facts.ledger.charges.find(
      (one) => one.renewal && one.amount === amount && one.at >= Math.floor(at) && one.at <= at + PRESS,
    )
    return paid === charge
  })

/** A charge after the next one is of the amount that was said of all of them, until that was changed or said anew. */
function laterOnes(facts: Facts): Lie[] {
  const said = saying(facts, 'later')
  const charges = facts.ledger.charges.filter(({ renewal }) => renewal).toSorted((a, b) => a.at - b.at)
  return charges.flatMap((charge, place): Lie[] => {
    const before = charges[place - 1]
    const one = before && said.findLast(({ at }) => at < before.at)
    if (!one || one.claim.amount === charge.amount) return []
    const isNews = ({ claim }: Statement) =>
      claim.kind === 'changed' || (claim.kind === 'later' && claim.amount !== one.claim.amount)
    if (facts.statements.some((other) => other.at > one.at - HEARD && other.at < charge.at && isNews(other))) return []
    return [
      `another amount than announced: ${dollars(charge.amount)} on ${dayOf(charge.at, facts.zone)}, the ` +
        `${one.source} said ${dollars(one.claim.amount)} of each period`,
    ]
  })
}

/** Whether someone asked for charges again after "nothing more" was said, which the service itself never does. */
function revived(facts: Facts, { at: from, claim: said }: Statement, to: number): boolean {
  if (said.kind === 'nothing' && said.unless === 'paid' && isPaidBetween(facts, from, to)) return true
  const between = facts.statements.filter(({ at }) => at > from && at < to)
  const named = new Set(saying(facts, 'next').flatMap(({ claim }) => claim.intent ?? []))
  const orders = [...named].filter((intent) => facts.ledger.succeeded.has(intent)).length
  return between.some(({ source, claim }) => {
    if (claim.kind === 'resumed' || claim.kind === 'changed') return true
    // another order, placed before and known to be paid only now
    if (orders > 1 && source === 'mail order_confirmation' && claim.kind === 'next') return true
    // a press that starts no subscription asks for nothing later
    return claim.kind === 'pressed' && saying(facts, 'next').some((one) => one.claim.intent === (claim.intent ?? ''))
  })
}

/** Whether a press that pays a debt fell between these moments, and was not refused. */
const isPaidBetween = (facts: Facts, from: number, to: number): boolean =>
  saying(facts, 'paying').some(
    // the bank knows whole seconds; what a page says was not taken asked for nothing
    ({ at }) =>
      at > from && Math.floor(at) <= to && !saying(facts, 'not taken').some(({ claim: { since } }) => since === at),
  )

/** The bank draws a bill on its day and collects it within the hour: one drawn late in the evening is that day's. */
function onDay(charge: Pick<Charge, 'at' | 'drawn'>, day: string, zone: string): boolean {
  return [charge.at, charge.drawn].some((moment) => dayOf(moment, zone) === day)
}

/** A next charge that no later statement withdrew has been tried by the end of its day. */
function comings(facts: Facts): Lie[] {
  const said = schedule(facts)
  return said.flatMap((one, place): Lie[] => {
    const { claim, source, at } = one
    if (claim.kind !== 'next') return []
    const over = Date.parse(`${claim.day}T23:59:59Z`) / 1000 + DAY
    const later = said[place + 1]
    if (over > facts.end || (later && later.at <= over) || erasedBy(facts, over)) return []
    const came = [...facts.ledger.charges, ...facts.ledger.refused].some(
      (charge) =>
        charge.renewal && charge.at > at && charge.amount === claim.amount && onDay(charge, claim.day, facts.zone),
    )
    return came ? [] : [`announced and not charged: ${dollars(claim.amount)} on ${claim.day}, said the ${source}`]
  })
}

const erasedBy = (facts: Facts, moment: number): boolean => saying(facts, 'erased').some(({ at }) => at <= moment)

/** A receipt names a charge that was made: its amount, its day. */
function receipts(facts: Facts): Lie[] {
  return saying(facts, 'paid').flatMap(({ at, source, claim }): Lie[] => {
    const found = facts.ledger.charges.some(
      (charge) => charge.amount === claim.amount && charge.at <= at + BLINK && onDay(charge, claim.day, facts.zone),
    )
    const free = claim.amount === 0
    return found || free
      ? []
      : [`a receipt without its charge: the ${source} said ${dollars(claim.amount)} on ${claim.day}`]
  })
}

/** An invoice is of a charge that was made: its amount, its day, and no more called back than what went back. */
function invoices(facts: Facts): Lie[] {
  return saying(facts, 'invoice').flatMap(({ at, source, claim }): Lie[] => {
    const { amount, day, refunded, returned } = claim
    const charges = facts.ledger.charges.filter(
      (charge) => charge.amount === amount && charge.at <= at + BLINK && onDay(charge, day, facts.zone),
    )
    const it = `the ${source} said ${dollars(amount)} on ${day}`
    if (charges.length === 0) return [`an invoice without its charge: ${it}`]
    const sent = (charge: Charge) =>
      charge.refunds
        .filter((one) => one.at <= at + BLINK && (one.status === 'succeeded' || (one.failedAt ?? 0) >= at - BLINK))
        .reduce((sum, one) => sum + one.amount, 0)
    const taken = ({ lost, wonBack }: Charge) =>
      lost || (wonBack && wonBack.lost <= at + BLINK && at < wonBack.won + HEARD)
    const fits = charges.some((charge) => sent(charge) >= refunded && (returned === 0 || taken(charge)))
    return fits ? [] : [`"refunded" without it: ${it}, ${dollars(refunded + returned)} of it sent back`]
  })
}

/** "Refunded" means the bank has sent as much as was said; "on its way" means it has by the end. */
function refunds(facts: Facts): Lie[] {
  const lies: Lie[] = []
  const all = facts.ledger.charges.flatMap((charge) => charge.refunds)
  const sent = all.filter(({ status }) => status === 'succeeded')
  const spoken = new Set<Refund>()
  // a refund that failed later still counted when this was said
  const known = (when: number) =>
    all.filter((one) => one.at <= when + BLINK && (sent.includes(one) || (one.failedAt ?? 0) >= when - BLINK))
  const missing = (source: string, amount: number) =>
    lies.push(`"refunded" without it: the ${source} said ${dollars(amount)}`)
  const said = saying(facts, 'refunded')
  for (const { at, source, claim } of said.filter((one) => one.claim.since === undefined)) {
    const sum = adding(
      known(at).filter((one) => !spoken.has(one)),
      claim.amount,
    )
    if (!sum) missing(source, claim.amount)
    for (const one of sum ?? []) spoken.add(one)
  }
  for (const { at, source, claim } of said) {
    const { amount, since } = claim
    if (since === undefined) continue
    // a refund from just before that was not announced yet is part of the sum, too
    const own = known(at).filter((one) => one.at >= since - BLINK || !spoken.has(one))
    if (!adding(own, amount)) missing(source, amount)
  }
  const taken = saying(facts, 'unrefunded')
  for (const { source, claim } of saying(facts, 'taken back')) {
    const charge = facts.ledger.charges.find(({ intent }) => intent === claim.intent)
    // the page says itself what follows when the bank refuses the refund
    if (charge && kept(charge) && !held(charge) && taken.length === 0)
      lies.push(`a refund that never came: the ${source} took back an order of ${dollars(charge.amount)}`)
  }
  for (const { at, source, claim } of saying(facts, 'refunding')) {
    if (taken.some((one) => one.at >= at)) continue
    const since = sent.filter((one) => one.at >= claim.since - BLINK)
    if (since.reduce((sum, { amount }) => sum + amount, 0) < claim.amount)
      lies.push(`a refund that never came: the ${source} said ${dollars(claim.amount)} is on its way`)
  }
  return lies
}

/** Refunds that add up to an amount exactly; undefined when none do. */
function adding(from: readonly Refund[], amount: number): Refund[] | undefined {
  if (amount === 0) return []
  const [first, ...rest] = from
  if (!first) return undefined
  const withFirst = first.amount <= amount ? adding(rest, amount - first.amount) : undefined
  return withFirst ? [first, ...withFirst] : adding(rest, amount)
}

/** Each line of an order page has its charge. */
function listings(facts: Facts): Lie[] {
  return saying(facts, 'bought').flatMap(({ at, source, claim }): Lie[] => {
    const left = facts.ledger.charges.filter((one) => !one.renewal && one.at <= at + BLINK).map(({ amount }) => amount)
    const extra = claim.amounts.filter((amount) => {
      const place = left.indexOf(amount)
      if (place >= 0) left.splice(place, 1)
      return place < 0
    })
    return extra.map((amount) => `an item without its charge: the ${source} lists ${dollars(amount)}`)
  })
}

/** A cancellation that a page says was taken back leaves a subscription that charges, where nothing else ended it. */
function returns(facts: Facts): Lie[] {
  const last = saying(facts, 'resumed').findLast(({ claim }) => claim.sure)
  const { live, charges, refused, succeeded } = facts.ledger
  const began = saying(facts, 'next').some(({ at, claim: { intent } }) => {
    const order = charges.find((one) => one.intent === intent)
    return last && at < last.at && succeeded.has(intent ?? '') && (!order || kept(order))
  })
  if (!last || !began) return []
  const others = ['changed', 'erased', 'due', 'refunded', 'refunding', 'taken back']
  const ended = facts.statements.some(
    ({ at, claim }) => others.includes(claim.kind) || (at > last.at && claim.kind === 'nothing'),
  )
  const goesOn = live.length > 0 || [...charges, ...refused].some((one) => one.renewal && one.at > last.at)
  return ended || goesOn ? [] : [`"goes on" without it: the ${last.source} said so, and no subscription is left`]
}

/** At most one live subscription; for an erased visitor, nothing continues. */
function endings(facts: Facts): Lie[] {
  const { charges, live } = facts.ledger
  const gone = saying(facts, 'erased')[0]
  const since = gone ? newOrder(facts, gone) : Infinity
  const after = gone ? charges.filter(({ at }) => at > gone.at + BLINK && at < since - BLINK) : []
  return [
    ...(live.length > 1 ? [`two subscriptions for one address: ${live.length} are live`] : []),
    ...after.filter(kept).map(({ amount }) => `charged after erasure: ${dollars(amount)} was kept`),
    ...(gone && since === Infinity && live.length > 0 ? ['a subscription of an erased visitor goes on'] : []),
  ]
}

/** When an erased visitor ordered anew, in a visit that began afterwards. */
function newOrder(facts: Facts, gone: Statement): number {
  const visit = saying(facts, 'arrived').find(({ at }) => at > gone.at)
  const press = saying(facts, 'pressed').find(
    ({ at, claim }) => visit && at >= visit.at && facts.ledger.succeeded.has(claim.intent ?? ''),
  )
  return press?.at ?? Infinity
}
