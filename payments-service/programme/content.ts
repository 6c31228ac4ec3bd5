import { guideContent } from '../../contract/api/programme.ts'
import { z } from 'zod'
import type { GuideContent } from '../../contract/members.ts'
import { DAYS } from '../../contract/programme.ts'
import type { Lake } from '../content/lake.ts'
import { remembered } from '../content/remembered.ts'
import type { Log } from '../http/logging.ts'
import { HEAD_BYTES, mp3Seconds, soundAt } from './mp3.ts'

export interface Week {
  number: number
  title: string
  text: string
}
export interface Day {
  day: number
  title: string
  minutes: number
  intro: string
  steps: { key: string; title: string; text: string; seconds: number; animation: string }[]
  audio: { url: string; size: number } | null
  transcript: string | null
  sample: boolean
}

/** The paid content, which only this service reads from the lake (architecture, "The programme"). */
export interface ProgrammeContent {
  /** Weeks and days in their order. Throws when the lake has never answered. */
  plan(): Promise<{ weeks: Week[]; days: Day[] }>
  guides(): Promise<GuideContent[]>
  /** Length of a recording in seconds, measured once. Null when it cannot be measured. */
  seconds(audio: NonNullable<Day['audio']>): Promise<number | null>
}

const FRESH = 60_000

const query = `{
  "weeks": *[_type == "programmeWeek"] | order(number asc) { number, title, text },
  "days": *[_type == "programmeSession"] | order(day asc) {
    day, title, minutes, intro, sample, audioTranscript,
    "steps": steps[] { _key, title, text, seconds, animation },
    "audioUrl": audio.asset->url, "audioSize": audio.asset->size
  },
  "guides": *[_type == "guide"] { productId, title, emoji, intro, body }
}`

const words = z.string().trim().min(1)
const week = z.object({ number: z.number().int(), title: words, text: words })
const day = z
  .object({
    day: z.number().int().min(1).max(DAYS),
    title: words,
    minutes: z.number().int().positive(),
    intro: words,
    sample: z.boolean().nullish(),
    audioTranscript: z.string().nullish(),
    steps: z.array(
      z.object({ _key: z.string(), title: words, text: words, seconds: z.number().positive(), animation: z.string() }),
    ),
    audioUrl: z.url().nullish(),
    audioSize: z.number().int().positive().nullish(),
  })
  .transform(({ steps, audioUrl, audioSize, audioTranscript, sample, ...rest }): Day => ({
    ...rest,
    steps: steps.map(({ _key, ...step }) => ({ key: _key, ...step })),
    audio: audioUrl && audioSize ? { url: audioUrl, size: audioSize } : null,
    transcript: audioTranscript?.trim() || null,
    sample: sample ?? false,
  }))
const guide = z.object({ ...guideContent.shape, title: words, intro: words })

/** Skips and logs an incomplete document; the others stay readable. */
function listOf<T>(schema: z.ZodType<T>, values: unknown, log: Log, what: string): T[] {
  return (Array.isArray(values) ? values : []).flatMap((value) => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return [parsed.data]
    log.error({ what, field: parsed.error.issues[0]?.path.join('.') }, 'a document of the programme is not complete')
    return []
  })
}

export function createProgramme(lake: Lake, log: Log): ProgrammeContent {
  const lengths = new Map<string, Promise<number | null>>()
  const read = remembered(
    FRESH,
    async () => {
      const found = (await lake.fetch(query)) as Record<string, unknown>
      return {
        weeks: listOf(week, found['weeks'], log, 'programmeWeek'),
        days: listOf(day, found['days'], log, 'programmeSession'),
        guides: listOf(guide, found['guides'], log, 'guide'),
      }
    },
    (error) => log.warn({ err: error }, 'the programme could not be read anew'),
  )
  return {
    plan: read,
    guides: async () => (await read()).guides,
    seconds({ url, size }) {
      let known = lengths.get(url)
      if (!known) {
        known = measure(lake, url, size)
        lengths.set(url, known)
        known.catch(() => lengths.delete(url))
      }
      return known
    },
  }
}

async function measure(lake: Lake, url: string, size: number): Promise<number | null> {
  const read = async (from: number) => {
    const reply = await lake.file(url, `bytes=${from}-${from + HEAD_BYTES - 1}`, AbortSignal.timeout(10_000))
    if (!reply.ok) throw new Error(`the recording answered ${reply.status}`)
    return new Uint8Array(await reply.arrayBuffer())
  }
  const head = await read(0)
  const sound = soundAt(head)
  // a cover fills the head
  if (sound > HEAD_BYTES / 2 && sound < size) return mp3Seconds(await read(sound), size - sound)
  return mp3Seconds(head, size)
}
