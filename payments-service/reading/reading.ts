/**
 * The leftover reading product (X-01…X-03). It is paid through checkout/ like everything else; this stores its data.
 */
import type { ReadingView, SaveReadingRequest } from '../../contract/api.ts'
import { isReadingId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../sessions/access.ts'
import { findReading, readReadingAnswers, writeStarseed } from './reading.queries.ts'

/** The starseed_type if the answers name no insight. */
const NO_INSIGHT = 'default'

/** Answers, result and purchase of a session, for the reading pages. */
export async function viewReading({ db }: Deps, session: Session): Promise<ReadingView> {
  const [answers, paid] = await Promise.all([readReadingAnswers(db, session.id), findReading(db, session.id)])
  const { starseed_type: type, starseed_name: name, starseed_description: description } = session
  return {
    answers: answers.count,
    insight: insightOf(answers.personalInsight),
    birthDate: birthDateOf(answers.birthDate),
    starseed: type && name ? { type, name, description: description ?? '' } : null,
    bought: paid?.live && isReadingId(paid.product_id) ? paid.product_id : null,
    ...(paid?.live === false ? { returned: true as const } : {}),
  }
}

/** stores the result that was shown. Its type is the saved answer, never what the browser claims. */
export async function saveReading({ db }: Deps, session: Session, result: SaveReadingRequest): Promise<void> {
  const answers = await readReadingAnswers(db, session.id)
  const type = insightOf(answers.personalInsight) ?? NO_INSIGHT
  await writeStarseed(db, session.id, { type, ...result })
}

export function insightOf(answer: string | null): string | null {
  return answer?.trim().toLowerCase().slice(0, 100) || null
}

/** A valid day, else null: an answer is free text. */
export function birthDateOf(answer: string | null): string | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(answer?.trim() ?? '')?.[0]
  if (!day) return null
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : null
}
