import { evaluate, parse } from 'groq-js'
import { createSchema, validateDocument } from 'sanity'
import { expect, test } from 'vitest'
import { createProgramme } from '../../payments-service/programme/content.ts'
import { ContentError } from '../../src/cms/content-error.ts'
import { sampleDocuments, sampleSource, type SampleDocument } from '../../src/cms/content.fixture.ts'
import type { ContentSource } from '../../src/cms/connection.ts'
import * as site from '../../src/cms/content.ts'
import { isObject } from '../check/finding.ts'
import { schemaTypes } from './index.ts'

/**
 * Every value of the sample dataset is taken away, emptied and spoiled. Sanity's own validation of the real schemas and
 * the readers of the site and the service then judge the same document.
 */

const schema = createSchema({ name: 'default', types: schemaTypes as never })
const lake = { fetch: () => Promise.resolve(null), withConfig: () => lake }

/** The content lake with these documents, all of them published. */
function lakeOf(dataset: readonly SampleDocument[]) {
  const fetch = async (query: string, params: Record<string, unknown>) =>
    (await evaluate(parse(query, { params }), { dataset, params })).get() as unknown
  const full = { fetch, withConfig: () => full }
  return full
}

/** What stops the document from being published; with `warning`, what does not. */
async function studioSays(
  document: SampleDocument,
  wanted: 'error' | 'warning' = 'error',
  among: object = lake,
): Promise<string[]> {
  const markers = await validateDocument({
    document: document as never,
    workspace: { schema, i18n: { t: (key: string) => key, loadNamespaces: () => Promise.resolve() } } as never,
    getClient: () => among as never,
    getDocumentExists: () => Promise.resolve(true),
    environment: 'studio',
  })
  return markers.filter(({ level }) => level === wanted).map(({ message }) => message)
}

type Reader = (source: ContentSource) => Promise<unknown>

/** The service leaves a document of the programme out and logs it. */
const programme: Reader = async ({ fetch }) => {
  const issues: ContentError['issues'][number][] = []
  const error = ({ what, field }: { what: string; field: string }) =>
    issues.push({ documentId: what, documentType: what, field, reason: 'is not complete' })
  await createProgramme({ fetch } as never, { error, warn: error } as never).plan()
  if (issues.length > 0) throw new ContentError(issues)
}
const READERS: Readonly<Record<string, Reader>> = {
  settings: site.getSettings,
  landing: site.getLanding,
  quiz: site.getQuiz,
  checkout: site.getCheckout,
  offer: site.getOffer,
  upsell: site.getUpsell,
  account: site.getAccount,
  reading: site.getReading,
  advertorial: (source) => site.getAdvertorials(source),
  legalPage: site.getLegalPages,
  pressMention: site.getQuiz,
  testimonial: site.getQuiz,
  programmeWeek: programme,
  programmeSession: programme,
  guide: programme,
}

const sample = sampleDocuments()
const { address } = sampleSource()

/** Why the site would not show the document; undefined: it would. The others of its kind are left out where it can. */
async function siteRefusal(changed: SampleDocument): Promise<string | undefined> {
  const pointedAt = ['testimonial', 'pressMention'].includes(changed._type)
  const dataset = [
    ...sample.filter(({ _id, _type }) => _id !== changed._id && (pointedAt || _type !== changed._type)),
    changed,
  ]
  const fetch = async (query: string, params: Record<string, unknown> = {}) =>
    (await evaluate(parse(query, { params }), { dataset, params })).get() as unknown
  try {
    await READERS[changed._type]?.({ address, perspective: 'published', fetch })
    return undefined
  } catch (error) {
    if (error instanceof ContentError) return error.issues.map(({ field, reason }) => `${field} ${reason}`).join('; ')
    throw error
  }
}

type Steps = readonly (string | number)[]

/** Each value below `value`, the first of its kind: the options of a question, say, are all alike. */
function places(
  value: unknown,
  kind: string,
  path: Steps,
  seen: Set<string>,
): { kind: string; path: Steps; value: unknown }[] {
  // the parts of a paragraph are written by the Studio's text editor, never by hand
  if (isObject(value) && value['_type'] === 'block') return []
  const inner: [key: string | number, kind: string, value: unknown][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [
        index,
        `${kind}[${isObject(item) ? String(item['_type'] ?? '') : ''}]`,
        item,
      ])
    : isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => (name.startsWith('_') ? [] : [[name, `${kind}.${name}`, item]]))
      : []
  return inner.flatMap(([key, innerKind, item]) => {
    const place = { kind: innerKind, path: [...path, key], value: item }
    const own = seen.has(innerKind) ? [] : [place]
    seen.add(innerKind)
    return [...own, ...places(item, innerKind, place.path, seen)]
  })
}

const GONE = Symbol('gone')

function spoiled(value: unknown): unknown[] {
  if (typeof value === 'string') return [GONE, null, '', '   ', 'x', `${value} `]
  if (typeof value === 'number') return [GONE, null, -1, 1.5, 1e9]
  if (Array.isArray(value)) return [GONE, null, [], ...(typeof value[0] === 'string' ? [['   ']] : [])]
  if (!isObject(value) || value['_type'] === 'block') return [GONE, null]
  // an object that was just added
  return [GONE, null, Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('_')))]
}

function put(document: SampleDocument, path: Steps, value: unknown): SampleDocument {
  const copy = structuredClone(document)
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce<Record<string | number, unknown>>((at, key) => at[key] as never, copy)
  if (value !== GONE) holder[last] = value
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return copy
}

let refused = 0

test.each(Object.keys(READERS))(
  'K-05 K-06 what the site refuses the Studio refuses first: each value of a %s gone, empty or spoiled',
  async (type) => {
    const documents = sample.filter(({ _type }) => _type === type)
    expect(documents).not.toEqual([])
    const seen = new Set<string>()
    const passed: string[] = []
    for (const document of documents) {
      for (const { kind, path, value } of places(document, type, [], seen)) {
        for (const bad of spoiled(value)) {
          const changed = put(document, path, bad)
          const refusal = await siteRefusal(changed)
          if (refusal === undefined) continue
          refused += 1
          const errors = await studioSays(changed)
          if (errors.length === 0) passed.push(`${kind} ${bad === GONE ? 'gone' : JSON.stringify(bad)}: ${refusal}`)
        }
      }
      // as it stands neither refuses it, so these refusals are of what was changed
      expect(await siteRefusal(document)).toBeUndefined()
      expect(await studioSays(document)).toEqual([])
    }
    expect(passed).toEqual([])
  },
)

test('K-05 K-06 hundreds of spoiled values are refused, of every kind of document', () => {
  expect(refused).toBeGreaterThan(500)
  expect(new Set(sample.map(({ _type }) => _type))).toEqual(new Set(Object.keys(READERS)))
})

test('K-05 blanks are no words: the field says what it lacks, a feedback which of its parts', async () => {
  const of = (id: string, path: Steps, value: unknown) =>
    studioSays(put(sample.find(({ _id }) => _id === id) as SampleDocument, path, value))
  expect(await of('landing', ['heading'], ' ')).toEqual(['Heading is needed.'])
  expect(await of('offer', ['introText'], '\n')).toEqual(['Text is needed.'])
  expect(await of('settings', ['contactEmail'], ' ')).toEqual(['An e-mail address is needed.'])
  const quiz = sample.find(({ _id }) => _id === 'quiz') as SampleDocument & { steps: { storageKey: string }[] }
  const place: Steps = ['steps', quiz.steps.findIndex(({ storageKey }) => storageKey === 'screenTime'), 'options', 0]
  const feedback = (value: object) => of('quiz', [...place, 'feedback'], value)
  expect(await feedback({ status: 'good', title: 'Well done', text: ' ' })).toEqual(['Explanation is needed.'])
  expect(await feedback({ status: 'good', text: 'You rest your eyes.' })).toEqual(['Heading is needed.'])
  expect(await feedback({ title: 'Well done', text: 'You rest your eyes.' })).toEqual(['Choose a tone.'])
  // a tone cannot be taken back in the Studio, and says nothing alone
  expect(await feedback({ status: 'good', title: ' ' })).toEqual([])
  expect(await siteRefusal(put(quiz, [...place, 'feedback'], { status: 'good', title: ' ' }))).toBeUndefined()
})

test('K-05 a line break is warned of where the page shows one paragraph', async () => {
  const of = async (id: string, path: Steps) => {
    const document = sample.find(({ _id }) => _id === id) as SampleDocument
    const before = await studioSays(document, 'warning')
    const after = await studioSays(put(document, path, 'One line.\n\nAnother.\n'), 'warning')
    return after.filter((one) => !before.includes(one))
  }
  expect(await of('landing', ['intro'])).toEqual(['Line breaks are not shown: on the page this is one paragraph.'])
  expect(await of('checkout', ['audioTranscript'])).toEqual([])
  expect(await of('checkout', ['faq', 0, 'answer'])).toEqual([])
})

test('A-05 K-05 a session waits for its week, and of two weeks with one number the second is refused', async () => {
  const at = (id: string) => sample.find(({ _id }) => _id === id) as SampleDocument
  const [session, week] = [at('programme.session-15'), at('programme.week-3')]
  const [all, withoutWeek] = [sample, sample.filter((one) => one !== week)].map(lakeOf)
  expect(await studioSays(session, 'error', all)).toEqual([])
  expect(await studioSays(week, 'error', all)).toEqual([])
  expect(await studioSays(session, 'error', withoutWeek)).toEqual([
    'Week 3 of the programme is missing or not published: buyers would not find its sessions.',
  ])
  expect(await studioSays({ ...week, number: 4 }, 'error', all)).toEqual(['“4” is taken by another document.'])
})
