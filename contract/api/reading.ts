/** The leftover reading product. */
import { z } from 'zod'
import { READING_IDS } from '../catalogue.ts'
import { done, trimmedText } from './parts.ts'

/** the data of a session for the reading pages. Null: not known. */
const readingView = z.strictObject({
  /** How many answers are saved. */
  answers: z.number(),
  /** The answer `personalInsight`, in lower case; any text, the pages know six. */
  insight: z.string().nullable(),
  /** The answer `birthDate` if it is a valid day: YYYY-MM-DD. */
  birthDate: z.string().nullable(),
  /** The starseed_* fields of the session, as the results screen wrote them. */
  starseed: z.strictObject({ type: z.string(), name: z.string(), description: z.string() }).nullable(),
  /** The reading that this session paid for. */
  bought: z.enum(READING_IDS).nullable(),
  /** The one it paid for was given back; a visit pays for one once, so the next one needs another visit. */
  returned: z.literal(true).optional(),
})
export type ReadingView = z.infer<typeof readingView>

/** The title and text that the results screen showed; its insight is the saved answer. */
const saveReadingRequest = z.object({
  name: trimmedText(200).min(1),
  description: trimmedText(2_000),
})
export type SaveReadingRequest = z.infer<typeof saveReadingRequest>

export const readingShapes = {
  reading: { summary: 'What the reading pages know of a session (X-01, X-02)', answer: readingView },
  saveReading: {
    summary: 'Keep the result that was shown in the starseed_* fields (X-02)',
    request: saveReadingRequest,
    answer: done,
  },
}
