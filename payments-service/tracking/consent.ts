import type { Request } from 'express'
import { consentAsked, PRIVACY_SIGNAL } from '../../contract/consent.ts'
import type { ConsentRequest } from '../../contract/api.ts'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { isKept, lastChoice, noteSignal, withdrawHealth } from '../sessions/consents.queries.ts'
import { countryOf, signalsPrivacy } from '../sessions/metadata.ts'
import { cleanAddress, cleanText } from './clean.ts'

/**
 * Appends the choices, as evidence: words, version, place, page, time. The same choice again adds nothing, nor does one
 * of before the last (`chosenAt`). A withdrawn health consent erases the answers. A browser's signal is no choice.
 */
export async function recordConsent(
  deps: Deps,
  req: Request,
  sessionId: string,
  request: ConsentRequest,
): Promise<void> {
  const { db } = deps
  const known = await db
    .selectFrom('session_metadata')
    .select('country')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  const country = countryOf(req, deps.config) ?? known?.country ?? null
  const signal = request.wording === PRIVACY_SIGNAL
  for (const { kind, granted } of signal ? [] : request.choices) {
    const last = await lastChoice(db, sessionId, kind)
    if (last?.granted === granted && last.wording_version === request.version) continue
    // chosen for another session, before this one's visitor chose; a signal has no version
    const since = last?.wording_version && request.chosenAt && last.recorded_at > new Date(request.chosenAt)
    if (since || !(await isKept(db, { sessionId, kind, granted }, last))) continue
    const choice = {
      session_id: sessionId,
      kind,
      granted,
      wording: cleanText(request.wording, 4_000) ?? '',
      wording_version: cleanText(request.version, 100) ?? null,
      country,
      page: cleanAddress(request.page) ?? '/',
    }
    if (kind === 'health' && !granted) await withdrawHealth(db, choice)
    else await db.insertInto('consents').values(choice).execute()
  }
  if (signal || signalsPrivacy(req)) await noteSignal(db, sessionId, country)
}

/**
 * T-02: whether an event about this session may go to an advertiser: never against a stored refusal, and where the
 * region asks only with a stored consent.
 */
export async function mayAdvertise(config: Config, db: Database, sessionId: string): Promise<boolean> {
  const choice = await lastChoice(db, sessionId, 'advertising')
  if (choice) return choice.granted
  const place = await db
    .selectFrom('session_metadata')
    .select(['country', 'timezone'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return !consentAsked(place?.country, place?.timezone, config.consentRegions)
}
