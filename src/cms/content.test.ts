import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { LAKE_AWAY } from '../../contract/published.ts'
import { ANSWER_VALUES, QUESTION_KEYS } from '../../contract/quiz.ts'
import { contentAddress, contentSource, ContentUnreachable } from './connection.ts'
import { ContentError } from './content-error.ts'
import { editable } from './edit.ts'
import { sampleSource, type SampleDocument } from './content.fixture.ts'
import { getLanding, getQuiz, getSettings } from './content.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
const change = (id: string, edit: (document: Record<string, any>) => void) =>
  sampleSource((document: SampleDocument) => {
    if (document._id === id) edit(document)
  })

async function problems(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ContentError)
  return (error as ContentError).issues.map(
    ({ documentType, documentId, field, reason }) => `${documentType} ${documentId} ${field}: ${reason}`,
  )
}

test('K-02 V-01 a text of the settings is filled like any other', async () => {
  const settings = await getSettings(
    change('settings', (document) => {
      document['advertorialLabel'] = 'Advertisement by {company}'
    }),
  )
  expect(settings.advertorialLabel).toBe(`Advertisement by ${settings.company.name}`)
})

describe('the sample quiz', async () => {
  const { steps } = await getQuiz(sampleSource())
  const step = (number: number) => steps[number - 1]

  test('S-01 S-33 K-07 has 33 steps, each leading to the one after it, the last to the checkout', () => {
    expect(steps).toHaveLength(33)
    expect(steps.map(({ next }) => next)).toEqual([...Array.from({ length: 32 }, (_, index) => index + 2), '/checkout'])
  })

  test('Q-14 asks every question of the vocabulary with its stable values, in order', () => {
    const questions = steps.filter((candidate) => candidate.kind === 'question')
    expect(questions.map(({ storageKey }) => storageKey)).toEqual(QUESTION_KEYS)
    for (const question of questions) {
      const values = ANSWER_VALUES[question.storageKey as keyof typeof ANSWER_VALUES]
      expect(question.options.map(({ value }) => value)).toEqual(values)
    }
  })

  test('Q-05 Q-06 shows Next on the multi-selects, eye colour and screen time only', () => {
    const withNext = steps.flatMap((candidate, index) =>
      candidate.kind === 'question' && (candidate.multiSelect || candidate.showNext) ? [index + 1] : [],
    )
    expect(withNext).toEqual([1, 2, 4, 8, 9])
  })

  test('S-07 S-14 S-21 the loaders have the specified times and texts', () => {
    const loaders = [7, 14, 21].map(step)
    expect(loaders.map((loader) => loader?.kind === 'loader' && [loader.durationMs, loader.fadeMs])).toEqual([
      [6500, 600],
      [6200, 600],
      [5600, 600],
    ])
    expect(loaders.map((loader) => loader?.kind === 'loader' && loader.messages.length)).toEqual([5, 8, 6])
    expect(step(21)?.title).toBe('Creating your personalized {product} program')
  })

  test('S-02 S-09 S-23 S-25 S-33 Q-03 keeps the specified strings to the letter', () => {
    expect(step(1)?.title).toBe("What's your natural eye color?")
    expect(step(2)).toMatchObject({
      title: 'Any symptoms you would like to improve?',
      hint: "If there's nothing you want to improve in selection - feel free press next",
      optional: true,
    })
    const screenTime = step(9)
    expect(screenTime?.kind === 'question' && screenTime.options.map(({ feedback }) => feedback?.title)).toEqual([
      'Excellent! 🌟',
      'Good 👍',
      'Caution ⚠️',
      'High Risk 🚨',
    ])
    expect(step(23)).toMatchObject({ kind: 'email', button: 'SEE MY RESULTS', shownTotal: 32 })
    expect(step(25)).toMatchObject({ kind: 'risk', percent: 32, youLabel: 'YOU are here: 32%' })
    expect(step(33)).toMatchObject({ kind: 'price', title: 'Chose a Trial Price', button: 'CONTINUE' })
  })

  test('S-31 S-32 shows one testimonial, then four tagged as verified', () => {
    const [one, four] = [step(31), step(32)]
    expect(one?.kind === 'testimonials' && one.testimonials).toHaveLength(1)
    expect(four?.kind === 'testimonials' && four.testimonials.map(({ verified }) => verified)).toEqual(
      Array(4).fill(true),
    )
  })

  test('Q-15 words every question itself, in one sentence', () => {
    for (const { kind, title } of steps) if (kind === 'question') expect(title).toMatch(/^[^?]+\?$/)
  })
})

describe('the sample landing page and settings', () => {
  test('L-03 have the specified heading and four benefits', async () => {
    const landing = await getLanding(sampleSource())
    expect(landing.heading).toBe('A Sustainable Way to Eye Health')
    expect(landing.benefits.map(({ text }) => text)).toEqual([
      'Easy 5-minute daily routines',
      'Audio guidance',
      'Results in just 7 days',
      'No eye drops or medications',
    ])
    expect(landing.comparison).toMatchObject({
      url: 'http://lake.test/images/local0001/production/abc123-1200x900.webp',
      width: 1200,
      height: 900,
    })
  })

  test('K-01 crop a picture as the editor did', async () => {
    const source = change('landing', (landing) => {
      landing['comparison'].crop = { left: 0.25, right: 0.25, top: 0, bottom: 0.5 }
    })
    const { comparison } = await getLanding(source)
    expect(comparison).toMatchObject({ width: 600, height: 450 })
    expect(comparison?.url).toContain('rect=300,0,600,450')
  })

  test('K-01 K-06 ask for an SVG as a PNG, cropped: the build takes no SVG, and the lake crops none', async () => {
    const source = change('landing', (landing) => {
      landing['comparison'].asset._ref = 'image-abc123-30x10-svg'
      landing['comparison'].crop = { left: 0.5, right: 0, top: 0, bottom: 0 }
    })
    const { comparison, comparisonBefore } = await getLanding(source)
    expect(comparison).toMatchObject({ width: 15, height: 10 })
    expect(comparison?.url).toMatch(/abc123-30x10\.svg\?rect=15,0,15,10&fm=png$/)
    expect(comparisonBefore?.url).toMatch(/\.webp$/)
  })

  test.each([
    ['jpg', null],
    ['png', null],
    ['webp', null],
    ['svg', 'png'],
    ['gif', 'png'],
    ['avif', 'png'],
    ['psd', 'png'],
    ['heic', 'jpg'],
    ['heif', 'jpg'],
    ['tif', 'jpg'],
    ['tiff', 'jpg'],
  ])('K-01 K-06 a picture uploaded as %s is requested in a format that a build reads: %s', async (format, wanted) => {
    const source = change('landing', (landing) => (landing['comparison'].asset._ref = `image-abc123-30x10-${format}`))
    const { comparison } = await getLanding(source)
    expect(new URL(comparison?.url ?? '').searchParams.get('fm')).toBe(wanted)
  })

  test('K-01 leave out what an editor cleared', async () => {
    const source = change('settings', (settings) => {
      settings['gtmId'] = '  '
      delete settings['advertorialLabel']
    })
    expect(await getSettings(source)).toMatchObject({ gtmId: null, metaPixelId: null, advertorialLabel: null })
  })
})

describe('K-06 broken content names document, type, field and reason', () => {
  test('K-06 when a document is missing', async () => {
    const nothing = { ...sampleSource(), fetch: async () => null }
    expect(await problems(getQuiz(nothing))).toEqual(['quiz quiz : does not exist, or was never published'])
  })

  test('K-06 when fields deep in the quiz are empty, missing or of the wrong kind, all at once', async () => {
    const source = change('quiz', ({ steps }) => {
      steps[2].options[1].label = ' '
      delete steps[6].durationMs
      steps[11]._type = 'songStep'
      steps[32].title = null
    })
    expect(await problems(getQuiz(source))).toEqual([
      'quiz quiz steps[_key=="symptom-frequency"].options[_key=="occasionally"].label: is empty',
      'quiz quiz steps[_key=="generation-loader"].durationMs: is missing',
      'quiz quiz steps[_key=="rule-20-20-20"]._type: is of a kind that the quiz does not know',
      'quiz quiz steps[_key=="price"].title: is missing',
    ])
  })

  test('K-06 when the trouble is in a document the quiz refers to', async () => {
    const source = change('testimonial-js', (testimonial) => {
      testimonial['stars'] = 6
      testimonial['quote'] = ''
    })
    const found = await problems(getQuiz(source))
    expect(found.map((line) => line.split(':')[0])).toEqual([
      'testimonial testimonial-js quote',
      'testimonial testimonial-js stars',
    ])
  })

  test('K-06 when a referenced document is gone', async () => {
    const source = change('press-quiet-desk', (mention) => {
      mention._id = 'elsewhere'
    })
    expect(await problems(getQuiz(source))).toEqual([
      'quiz quiz steps[_key=="press"].mentions[0]: points to a document that does not exist or is not published',
    ])
  })

  test('K-05 K-06 when a step leads nowhere', async () => {
    const source = change('quiz', ({ steps }) => {
      steps[4].next = '34'
      delete steps[32].next
    })
    expect(await problems(getQuiz(source))).toEqual([
      'quiz quiz steps[_key=="vision-correction"].next: leads to "34", which is no step',
      'quiz quiz steps[_key=="price"].next: leads to nothing: the last step needs a path',
    ])
  })

  test('S-32 verified without a source is not shown as verified', async () => {
    const source = change('testimonial-js', (testimonial) => delete testimonial['provenance'])
    const last = (await getQuiz(source)).steps[31]
    expect(last?.kind === 'testimonials' && last.testimonials[0]).toMatchObject({
      id: 'testimonial-js',
      verified: false,
    })
  })
})

describe('K-03 the content address', () => {
  test('K-03 is the embedded lake without a project, and the cloud with one', () => {
    expect(contentAddress({})).toMatchObject({ projectId: 'local0001', apiHost: 'http://127.0.0.1:3334' })
    expect(contentAddress({ SANITY_PROJECT_ID: 'abc12345' })).toMatchObject({ dataset: 'production', apiHost: null })
    expect(contentAddress({ SANITY_API_HOST: 'http://localhost:9/' })).toMatchObject({ apiHost: 'http://localhost:9' })
  })

  test('K-03 a lake that does not answer is named, with what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const source = contentSource('published', contentAddress({ SANITY_API_HOST: `http://127.0.0.1:${port}` }))
    const error = await getSettings(source).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ContentUnreachable)
    expect(String(error)).toContain(`http://127.0.0.1:${port}`)
    expect(String(error)).toContain('Start it with `npm start`')
    // by which the publisher knows it in what a build prints
    expect(String(error)).toContain(LAKE_AWAY)
  })

  test.each([
    [401, false],
    [404, false],
    [503, true],
  ])('K-03 a lake that answers %i is away: %s', async (status, away) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"message":"no"}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const source = contentSource('published', contentAddress({ SANITY_API_HOST: `http://127.0.0.1:${port}` }))
    const error = await getSettings(source).catch((thrown: unknown) => thrown)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(error).toBeInstanceOf(ContentUnreachable)
    expect([String(error).includes(`answered ${status}`), String(error).includes(LAKE_AWAY)]).toEqual([true, away])
  })
})

describe('K-04 click-to-edit', () => {
  test('K-04 drafts name document and field, published pages carry nothing', () => {
    const published = sampleSource()
    expect(editable(published, 'quiz', 'quiz')('steps[_key=="email"].title')).toBeUndefined()
    const attribute = editable(
      { ...published, perspective: 'drafts' },
      'quiz',
      'quiz',
      'http://studio.test',
    )('welcome.title')
    expect(attribute).toContain('id=quiz;type=quiz;path=welcome.title')
    expect(attribute).toContain('base=http%3A%2F%2Fstudio.test')
  })
})
