/** The paid content: weeks, days, guides, and what was listened to. */
import { z } from 'zod'
import { moment, productId } from './parts.ts'

const fraction = z.number().min(0).max(1)
const whole = z.number().int()

const programmeDay = z.strictObject({
  day: whole,
  week: whole,
  title: z.string(),
  minutes: z.number(),
  state: z.enum(['listened', 'today', 'open', 'locked']),
  /** Share of its play time that was heard. */
  heard: fraction,
})
export type ProgrammeDay = z.infer<typeof programmeDay>

const guideTitle = { productId, title: z.string(), emoji: z.string(), intro: z.string() }
const programmeView = z.strictObject({
  weeks: z.array(z.strictObject({ number: whole, title: z.string(), text: z.string(), days: z.array(programmeDay) })),
  /** The day to listen to next; null when all of them are heard. */
  today: whole.nullable(),
  /** A session was completed within twelve hours; the day of it is known where the member is. */
  doneToday: z.boolean(),
  /** When a session was completed last. */
  lastListenedAt: moment.nullable().optional(),
  listened: whole,
  guides: z.array(z.strictObject(guideTitle)),
})
export type ProgrammeView = z.infer<typeof programmeView>

const programmeStep = z.strictObject({
  key: z.string(),
  title: z.string(),
  text: z.string(),
  seconds: z.number(),
  /** Name of a drawn animation; an unknown one shows none. */
  animation: z.string(),
})
export type ProgrammeStep = z.infer<typeof programmeStep>
const sessionContent = z.strictObject({
  day: whole,
  week: whole,
  title: z.string(),
  intro: z.string(),
  minutes: z.number(),
  steps: z.array(programmeStep),
  /** Address on this service; null without a recording: the words are enough. */
  audioUrl: z.string().nullable(),
  audioSeconds: z.number().nullable(),
  transcript: z.string().nullable(),
  listened: z.boolean(),
  /** Share that was heard. */
  heard: fraction,
  /** A generated stand-in for the recording. */
  sample: z.boolean(),
})
export type SessionContent = z.infer<typeof sessionContent>

export const guideContent = z.strictObject({
  ...guideTitle,
  /** Portable Text (content.ts, RichText). */
  body: z.array(z.record(z.string(), z.unknown())).readonly(),
})
export type GuideContent = z.infer<typeof guideContent>

const listeningRequest = z.object({
  /** Seconds played since the last report, as counted by the player. */
  seconds: z.number().min(0).max(3_600),
})
const listeningResponse = z.strictObject({ heard: fraction, counted: z.boolean(), listened: whole })
export type ListeningResponse = z.infer<typeof listeningResponse>

export const programmeShapes = {
  programme: { summary: 'The weeks and days of the programme', answer: programmeView },
  programmeDay: { summary: 'One session of the programme', answer: sessionContent },
  listening: { summary: 'Report play time', request: listeningRequest, answer: listeningResponse },
  guide: { summary: 'A guide that was bought', answer: guideContent },
}
