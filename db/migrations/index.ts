/** The migrations by name, in order. A static list: plain Node loads it, and no folder is read at run time. */
import type { Migration } from 'kysely/migration'
import * as sessions from './20261122220000-create-sessions.ts'
import * as answers from './20261122220100-create-answers.ts'
import * as accounts from './20261122220200-create-accounts.ts'
import * as payments from './20261122220300-create-payments.ts'
import * as subscriptions from './20261122220400-create-subscriptions.ts'
import * as refunds from './20261122220500-create-refunds.ts'
import * as queues from './20261122220600-create-queues.ts'
import * as events from './20261122220700-create-events.ts'
import * as procedures from './20261122220800-create-procedures.ts'
import * as funnel from './20261122220900-create-funnel.ts'
import * as operators from './20261122221000-create-operators.ts'
import * as erasures from './20261122221100-create-erasures.ts'
import * as agreedPrices from './20261129000000-note-agreed-prices.ts'
import * as chargesWithoutVisit from './20261129230200-record-charges-without-visit.ts'
import * as exitRequests from './20261129230300-create-exit-requests.ts'
import * as priceChanges from './20261130000000-create-price-changes.ts'
import * as evidence from './20261130000100-end-evidence.ts'
import * as tax from './20261130100000-note-tax.ts'
import * as watch from './20261130200000-watch-the-shop.ts'
import * as backups from './20261130300000-know-backups.ts'
import * as steps from './20261130400000-count-steps.ts'
import * as countedAnswers from './20261201000000-count-answers.ts'
import * as stepSums from './20261202000000-sum-steps.ts'
import * as erasedPlaces from './20261203000000-keep-erased-in-funnel.ts'
import * as countedPages from './20261203000100-count-pages.ts'
import * as provinces from './20261203100000-know-provinces.ts'
import * as oldEvidence from './20261204000000-find-old-evidence.ts'
import * as meantVisits from './20261205000000-keep-meant-visits.ts'
import * as takenBack from './20261206000000-note-taken-back.ts'
import * as traces from './20261207000000-keep-traces.ts'
import * as nextPrices from './20261207000100-know-next-prices.ts'
import * as eachPart from './20261207000200-ask-for-each-part.ts'
import * as periods from './20261208000000-know-periods.ts'
import * as ofVisits from './20261209000000-find-what-is-of-visits.ts'
import * as addresses from './20261209000100-know-addresses.ts'
import * as newErasures from './20261210000000-find-new-erasures.ts'
import * as whatIsAsked from './20261211000000-note-what-is-asked.ts'
import * as eachOrder from './20261211000100-ask-for-each-order.ts'
import * as noAddresses from './20261214000000-count-no-addresses.ts'
import * as disputes from './20261216000000-find-what-disputes-are-about.ts'
import * as misdatedEvents from './20261224000000-move-misdated-events.ts'
import * as paidByHand from './20261225000000-keep-what-was-paid-by-hand.ts'
import * as oldClicks from './20261227000000-find-old-clicks.ts'
import * as operatorsRefusals from './20261228000000-keep-refusals-of-operators.ts'
import * as successorsOfTokens from './20261231230000-find-successors-of-tokens.ts'
import * as refusedSetUps from './20261231230100-find-refused-set-ups.ts'
import * as wentOn from './20261231230200-count-who-went-on.ts'
import * as followedProvinces from './20261231230300-follow-provinces.ts'

export interface AppliedMigration extends Migration {
  /**
   * False: each statement by itself, for `create index concurrently`. One that was cut off is applied again from its
   * beginning.
   */
  transaction?: false
}

/**
 * Ends the name of one that the release before does not go on with, applied when none of its replicas is left: a
 * release that does not know the migration knows by its name that it must not serve.
 */
export const CONTRACT = /-contract$/

export const migrations: Record<string, AppliedMigration> = {
  '20261122220000-create-sessions': sessions,
  '20261122220100-create-answers': answers,
  '20261122220200-create-accounts': accounts,
  '20261122220300-create-payments': payments,
  '20261122220400-create-subscriptions': subscriptions,
  '20261122220500-create-refunds': refunds,
  '20261122220600-create-queues': queues,
  '20261122220700-create-events': events,
  '20261122220800-create-procedures': procedures,
  '20261122220900-create-funnel': funnel,
  '20261122221000-create-operators': operators,
  '20261122221100-create-erasures': erasures,
  '20261129000000-note-agreed-prices': agreedPrices,
  '20261129230200-record-charges-without-visit': chargesWithoutVisit,
  '20261129230300-create-exit-requests': exitRequests,
  '20261130000000-create-price-changes': priceChanges,
  '20261130000100-end-evidence': evidence,
  '20261130100000-note-tax': tax,
  '20261130200000-watch-the-shop': watch,
  '20261130300000-know-backups': backups,
  '20261130400000-count-steps': steps,
  '20261201000000-count-answers': countedAnswers,
  '20261202000000-sum-steps': stepSums,
  '20261203000000-keep-erased-in-funnel': erasedPlaces,
  '20261203000100-count-pages': countedPages,
  '20261203100000-know-provinces': provinces,
  '20261204000000-find-old-evidence': oldEvidence,
  '20261205000000-keep-meant-visits': meantVisits,
  '20261206000000-note-taken-back': takenBack,
  '20261207000000-keep-traces': traces,
  '20261207000100-know-next-prices': nextPrices,
  '20261207000200-ask-for-each-part': eachPart,
  '20261208000000-know-periods': periods,
  '20261209000000-find-what-is-of-visits': ofVisits,
  '20261209000100-know-addresses': addresses,
  '20261210000000-find-new-erasures': newErasures,
  '20261211000000-note-what-is-asked': whatIsAsked,
  '20261211000100-ask-for-each-order': eachOrder,
  '20261214000000-count-no-addresses': noAddresses,
  '20261216000000-find-what-disputes-are-about': disputes,
  '20261224000000-move-misdated-events': misdatedEvents,
  '20261225000000-keep-what-was-paid-by-hand': paidByHand,
  '20261227000000-find-old-clicks': oldClicks,
  '20261228000000-keep-refusals-of-operators': operatorsRefusals,
  '20261231230000-find-successors-of-tokens': successorsOfTokens,
  '20261231230100-find-refused-set-ups': refusedSetUps,
  '20261231230200-count-who-went-on': wentOn,
  '20261231230300-follow-provinces': followedProvinces,
}
