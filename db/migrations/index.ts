/** The migrations by name, in order. A static list: plain Node loads it, and no folder is read at run time. */
import type { Migration } from 'kysely/migration'
import * as sessions from './20261120090000-create-sessions.ts'
import * as money from './20261120090100-create-money.ts'
import * as queues from './20261120090200-create-queues.ts'
import * as events from './20261120090300-create-events.ts'
import * as evidence from './20261120090400-create-evidence.ts'
import * as accounts from './20261120090500-create-accounts.ts'
import * as progress from './20261120100000-add-session-progress.ts'
import * as renewals from './20261120100100-add-renewal-intents.ts'
import * as membership from './20261121000000-create-membership.ts'
import * as upsellTurns from './20261121003000-create-upsell-turns.ts'
import * as tracking from './20261121004500-add-tracking.ts'
import * as funnelDays from './20261121020000-count-funnel-by-days.ts'
import * as unloggedLimits from './20261121031500-unlog-rate-limits.ts'
import * as intentOrigins from './20261121040500-note-origin-of-intents.ts'
import * as slimEvents from './20261121043000-slim-answers-and-events.ts'
import * as originIndex from './20261121050000-find-intents-by-origin.ts'
import * as shortEventIds from './20261121070000-shorten-event-ids.ts'
import * as namedAgreements from './20261122100000-name-agreements.ts'
import * as truthOfSubscriptions from './20261122110000-add-truth-of-subscriptions.ts'
import * as buriedEvents from './20261122130000-bury-events-hold-polls.ts'
import * as recipients from './20261122155000-find-mails-by-recipient.ts'
import * as owedRefunds from './20261122160000-track-owed-refunds.ts'
import * as provedAddresses from './20261122165000-prove-addresses.ts'
import * as separateOperators from './20261122200000-separate-operators.ts'
import * as secondFactor from './20261122201000-add-second-factor.ts'
import * as operatorTrail from './20261122202000-trail-operators.ts'
import * as usedCodes from './20261122219000-remember-used-codes.ts'
import * as withdrawnAnswers from './20261122219100-hold-withdrawn-answers.ts'
import * as passkeys from './20261122219200-add-passkeys.ts'

export const migrations: Record<string, Migration> = {
  '20261120090000-create-sessions': sessions,
  '20261120090100-create-money': money,
  '20261120090200-create-queues': queues,
  '20261120090300-create-events': events,
  '20261120090400-create-evidence': evidence,
  '20261120090500-create-accounts': accounts,
  '20261120100000-add-session-progress': progress,
  '20261120100100-add-renewal-intents': renewals,
  '20261121000000-create-membership': membership,
  '20261121003000-create-upsell-turns': upsellTurns,
  '20261121004500-add-tracking': tracking,
  '20261121020000-count-funnel-by-days': funnelDays,
  '20261121031500-unlog-rate-limits': unloggedLimits,
  '20261121040500-note-origin-of-intents': intentOrigins,
  '20261121043000-slim-answers-and-events': slimEvents,
  '20261121050000-find-intents-by-origin': originIndex,
  '20261121070000-shorten-event-ids': shortEventIds,
  '20261122100000-name-agreements': namedAgreements,
  '20261122110000-add-truth-of-subscriptions': truthOfSubscriptions,
  '20261122130000-bury-events-hold-polls': buriedEvents,
  '20261122155000-find-mails-by-recipient': recipients,
  '20261122160000-track-owed-refunds': owedRefunds,
  '20261122165000-prove-addresses': provedAddresses,
  '20261122200000-separate-operators': separateOperators,
  '20261122201000-add-second-factor': secondFactor,
  '20261122202000-trail-operators': operatorTrail,
  '20261122219000-remember-used-codes': usedCodes,
  '20261122219100-hold-withdrawn-answers': withdrawnAnswers,
  '20261122219200-add-passkeys': passkeys,
}
