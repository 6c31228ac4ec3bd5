import type { Case } from '../case.ts'
import { cardTesting } from './card-testing.ts'
import { commitCut, databaseKilled } from './database.ts'
import { eventOrders, sameEvent, tabClosed, webhooksOff } from './events.ts'
import { killsAtPoints, killsAtRandom } from './kills.ts'
import { latency } from './latency.ts'
import { parallelPay, subscriptionLater, twoTabs, upsellLater } from './parallel.ts'
import { restoredBackup } from './restored.ts'
import { sequencesCase } from './sequences.ts'
import { stripeTrouble } from './stripe-trouble.ts'
import { forged, prices, tampered } from './tampering.ts'
import { threeDSecure } from './three-d-secure.ts'
import { workerStopped } from './worker.ts'

/** Cases that measure come last, when nothing else is running. */
export const CASES: readonly Case[] = [
  killsAtPoints,
  killsAtRandom,
  stripeTrouble,
  databaseKilled,
  commitCut,
  workerStopped,
  restoredBackup,
  tabClosed,
  sameEvent,
  eventOrders,
  webhooksOff,
  parallelPay,
  twoTabs,
  upsellLater,
  subscriptionLater,
  threeDSecure,
  prices,
  sequencesCase,
  tampered,
  forged,
  cardTesting,
  latency,
]
