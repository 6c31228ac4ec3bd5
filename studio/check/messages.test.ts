/** What editors read of each fault, where, and what is no fault. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { TRIAL_IDS } from '../../contract/catalogue.ts'
import { catalogueValues, fill } from '../../contract/placeholders.ts'
import { type Document, type Finding, pathText } from './finding.ts'
import { checkDataset, checkDocument } from './rules.ts'

const FOLDER = new URL('../dataset/', import.meta.url)
const SAMPLE = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ndjson'))
  .flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').split('\n').filter(Boolean))

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
type Loose = any

/** A document of the sample, changed. */
function changed(id: string, edit: (document: Loose) => void): Document {
  const document = SAMPLE.map((line) => JSON.parse(line) as Document).find(({ _id }) => _id === id) as Document
  edit(document)
  return document
}

const told = (findings: readonly Finding[]) =>
  findings.map(({ level, path, code, message }) => `${level} ${pathText(path)} ${code}: ${message}`)
/** What is said about a changed document, other than that it is sample content and what its own sample lacks. */
const of = (id: string, edit: (document: Loose) => void): string[] => {
  const before = told(checkDocument(changed(id, () => undefined)))
  return told(checkDocument(changed(id, edit))).filter((one) => !before.includes(one))
}
const quiz = (edit: (steps: Loose[], document: Loose) => void) =>
  of('quiz', (document) => edit(document.steps, document))
const by = (steps: Loose[], key: string) => steps.find(({ _key }) => _key === key)

describe('K-05 what an editor reads of a broken quiz', () => {
  test('K-05 no steps at all, whatever stands in the field', () => {
    for (const steps of [[], undefined, 'none', [1, null]]) {
      const found = quiz((_, document) => (document.steps = steps))
      expect(found.filter((one) => !one.includes('empty_entry'))).toEqual([
        'error steps no_steps: The quiz has no steps.',
      ])
    }
  })

  test.each([
    ['emailStep', 'e-mail'],
    ['priceStep', 'price'],
    ['summaryStep', 'summary'],
    ['recoveryStep', 'recovery'],
  ])('K-05 %s: exactly one is needed', (type, name) => {
    const one = (steps: Loose[]) => steps.findIndex(({ _type }) => _type === type)
    expect(quiz((steps) => steps.splice(one(steps), 1))).toContain(
      `error steps step_count: The quiz needs exactly one ${name} step; it has 0.`,
    )
    expect(quiz((steps) => steps.splice(one(steps), 0, { ...steps[one(steps)], _key: 'twice' }))).toContain(
      `error steps step_count: The quiz needs exactly one ${name} step; it has 2.`,
    )
  })

  test('K-05 where the price or the results are missing, that alone is said, and nothing of an order', () => {
    const orders = (gone: (step: Loose) => boolean) =>
      quiz((steps, document) => (document.steps = steps.filter((step) => !gone(step)))).filter((one) =>
        one.includes('step_order'),
      )
    expect(orders(({ _type }) => _type === 'priceStep')).toEqual([])
    expect(orders(({ _type }) => _type === 'summaryStep' || _type === 'recoveryStep')).toEqual([])
  })

  test('K-05 the price is last, and the results come after the e-mail step', () => {
    const last = quiz((steps) => steps.splice(31, 0, steps.pop()))
    expect(last).toContain(
      'error steps[_key=="testimonials"] step_order: The price step has to be the last one: nothing after it is ever ' +
        'shown.',
    )
    for (const type of ['summaryStep', 'recoveryStep']) {
      const early = quiz((steps) => {
        const at = steps.findIndex(({ _type }) => _type === type)
        steps.splice(20, 0, steps.splice(at, 1)[0])
      })
      expect(early.filter((one) => one.includes('which promises them'))).toEqual([
        expect.stringMatching(
          /^error steps\[_key=="\S+"\] step_order: The results come after the e-mail step, which promises them\.$/,
        ),
      ])
    }
  })

  test('K-05 a question that the score reads is missing, or comes after the results', () => {
    expect(quiz((steps) => (by(steps, 'screen-time').storageKey = 'screens'))).toEqual([
      'error steps missing_step: The question “screenTime” is missing. The recovery speed is computed from its answer.',
    ])
    expect(
      quiz((steps) => {
        const at = steps.findIndex(({ _type }) => _type === 'recoveryStep')
        const [moved] = steps.splice(steps.indexOf(by(steps, 'screen-time')), 1)
        steps.splice(at, 0, moved)
      }),
    ).toContain(
      'error steps[_key=="screen-time"] step_order: This question has to come before the results, which are computed ' +
        'from its answer.',
    )
  })

  test('K-05 the total on the e-mail screen is at least its own number', () => {
    const shown = (total: unknown) =>
      quiz((steps) => (steps.find(({ _type }) => _type === 'emailStep').shownTotal = total))
    expect(shown(22)).toEqual([
      'error steps[_key=="email"].shownTotal shown_total: This is step 23: the total shown cannot be 22.',
    ])
    for (const total of [23, 24, 50, undefined]) expect(shown(total), String(total)).toEqual([])
  })

  test('K-05 options of a question: a value once, and no comma where several are stored', () => {
    expect(quiz((steps) => (by(steps, 'eye-color').options[1].value = ' amber '))).toContain(
      'error steps[_key=="eye-color"].options[_key=="blue"].value duplicate_value: The value “amber” stands in two ' +
        'options of this question.',
    )
    const comma = 'comma_in_value: Several answers are stored separated by commas, so a value cannot contain one.'
    const many = quiz((steps) => (by(steps, 'symptoms').options[0].value = 'blurry, often'))
    expect(many).toContain(`error steps[_key=="symptoms"].options[0].value ${comma}`.replace('[0]', '[_key=="blurry"]'))
    const single = quiz((steps) => (by(steps, 'eye-color').options[1].value = 'blue, light'))
    expect(single.filter((one) => one.includes('comma_in_value'))).toEqual([])
    // the count of answers takes a comma without a blank for the end of an answer, of one answer as well
    expect(quiz((steps) => (by(steps, 'eye-color').options[1].value = 'blue,light'))).toEqual([
      'error steps[_key=="eye-color"].options[_key=="blue"].value comma_in_value: A comma without a space after it ' +
        'separates answers where they are counted. Put a space after it.',
    ])
    expect(quiz((steps) => by(steps, 'symptoms').options.push({ _key: 'n', value: 'night', label: 'N' }))).toEqual([])
    // a value of the specification may have one
    const known = quiz((steps) => (by(steps, 'vision-correction').multiSelect = true))
    expect(known.filter((one) => one.includes('comma_in_value'))).toEqual([])
  })

  test('K-05 an answer that the score reads is gone: which one is named; of other questions any may go', () => {
    const lost = quiz((steps) => (by(steps, 'screen-time').options[3].value = 'all day'))
    expect(lost).toEqual([
      'error steps[_key=="screen-time"].options missing_value: An option with the stored value “More than 8 hours” ' +
        'is needed: the recovery speed is computed from it. Its label may be anything.',
    ])
    expect(quiz((steps) => (by(steps, 'eye-color').options[1].value = 'steel'))).toEqual([])
  })

  test('K-05 S-27 a question that the score reads takes several answers or one, as it is stored', () => {
    const several = (key: string, multiSelect: unknown) => quiz((steps) => (by(steps, key).multiSelect = multiSelect))
    for (const off of [false, undefined]) {
      expect(several('symptoms', off)).toEqual([
        'error steps[_key=="symptoms"].multiSelect answer_form: Switch this on: the recovery speed is computed from ' +
          'how many answers are chosen here.',
      ])
    }
    for (const key of ['symptom-frequency', 'screen-time', 'screen-breaks']) {
      expect(several(key, true), key).toEqual([
        `error steps[_key=="${key}"].multiSelect answer_form: Switch this off: the recovery speed is computed from ` +
          'one answer.',
      ])
      expect(several(key, undefined), key).toEqual([])
    }
    // under the key of another question the key alone is wrong
    const copied = quiz((steps) =>
      Object.assign(by(steps, 'eye-color'), { storageKey: 'symptoms', multiSelect: false }),
    )
    expect(copied).toEqual([expect.stringMatching(/\.storageKey duplicate_key: /)])
  })

  test('K-05 storage keys: one word, not one that the quiz writes, and none twice', () => {
    const key = (storageKey: unknown) => quiz((steps) => (by(steps, 'eye-color').storageKey = storageKey))
    const place = 'error steps[_key=="eye-color"].storageKey'
    const oneWord =
      `${place} storage_key: The name of an answer is one word of at most 40 letters and digits, ` +
      'such as screenTime.'
    for (const bad of ['eye color', 'Eye', '9eyes', 'eye-color', 'eyeColor!', 'a'.repeat(41), '', undefined, 7]) {
      expect(key(bad), String(bad)).toContain(oneWord)
    }
    for (const good of ['eyes', 'eyeColour2', 'x', 'a'.repeat(40)]) expect(key(good), good).toEqual([])
    for (const own of [
      ...['ageGroup', 'email', 'selectedPrice', 'eyeStrainIndex', 'visualAge', 'recoverySpeed', 'recoveryPosition'],
      'personalInsight',
      'birthDate',
    ]) {
      expect(key(own)).toEqual([`${place} storage_key: “${own}” is written by the quiz itself. Choose another name.`])
    }
    // the wrong one is named, wherever it is, and nothing that only follows from it
    const clash =
      '“symptoms” is the name of the answer of step 2, “Any symptoms you would like to improve?”: one answer would '
    expect(key('symptoms')).toEqual([
      `${place} duplicate_key: ${clash}overwrite the other. Give this question a name of its own.`,
    ])
    const timing = quiz((steps) => (by(steps, 'symptom-timing').storageKey = 'symptoms'))
    expect(timing).toEqual([
      `error steps[_key=="symptom-timing"].storageKey duplicate_key: ${clash}overwrite the other. Give this question ` +
        'a name of its own.',
    ])
    // a step that asks nothing has none
    expect(quiz((steps) => (steps.find(({ _type }) => _type === 'infoStep').storageKey = 'two words'))).toEqual([])
  })

  test('S-03 K-05 a question that speaks of the chosen symptoms comes after the question for them', () => {
    const early = quiz((steps) => (by(steps, 'eye-color').subtitle = 'Because of {symptoms}'))
    expect(early).toEqual([
      'error steps[_key=="eye-color"].subtitle placeholder_order: Nobody has chosen symptoms by then. Use {symptoms} ' +
        'below the question for them.',
    ])
    // while they are chosen, the page does not follow
    const own = quiz((steps) => (by(steps, 'symptoms').subtitle = 'Because of {symptoms}'))
    expect(own).toEqual([expect.stringMatching(/^error steps\[_key=="symptoms"\]\.subtitle placeholder_order: /)])
    expect(quiz((steps) => (by(steps, 'symptom-timing').subtitle = 'Because of {symptoms}'))).toEqual([])
  })

  test('K-05 titles, and placeholders without which a text says too little', () => {
    for (const title of ['', '  ', undefined]) {
      expect(quiz((steps) => (by(steps, 'eye-color').title = title))).toEqual([
        'error steps[_key=="eye-color"].title empty: Step 1 has no title.',
      ])
    }
    const risk = quiz((steps) => (steps.find(({ _type }) => _type === 'riskStep').withLabel = 'With us'))
    expect(risk).toEqual([
      expect.stringMatching(/^error steps\[\S+\]\.withLabel missing_placeholder: This text has to say \{product\}\.$/),
    ])
    expect(quiz((steps) => (steps[32].note = 'Pay nothing yet.'))).toEqual([
      'error steps[_key=="price"].note missing_placeholder: This text has to say {actualPrice}.',
    ])
    // an empty text is the concern of its field
    expect(quiz((steps) => (steps[32].note = ' '))).toEqual([])
    expect(quiz((_, document) => (document.welcome = 'none'))).toEqual([])
    expect(quiz((_, document) => (document.welcome.text = 'Hello.'))).toEqual([
      'error welcome.text missing_placeholder: This text has to say {ageGroup}.',
    ])
  })
})

describe('K-02 what an editor reads of copy', () => {
  const note = (fields: object) => told(checkDocument({ _id: 'note', _type: 'note', ...fields }))

  test('K-02 copy in lists is found where it stands, and what Sanity itself keeps is none', () => {
    expect(note({ lines: ['Free', 'Only $5'] })).toEqual([expect.stringMatching(/^error lines\[1\] amount_in_copy/)])
    expect(note({ lines: [{ text: '$5' }, { _key: 'b', text: '$6' }] })).toEqual([
      expect.stringMatching(/^error lines\[0\]\.text amount_in_copy/),
      expect.stringMatching(/^error lines\[_key=="b"\]\.text amount_in_copy/),
    ])
    expect(note({ _rev: '$5', campaigns: ['$5', '{nobody}'] })).toEqual([])
  })

  test('S-03 K-02 a subtitle may say {symptoms}, and no other name that is unknown', () => {
    expect(note({ subtitle: 'You chose {symptoms}' })).toEqual([])
    expect(note({ subtitle: 'You chose {nobody}' })).toHaveLength(1)
  })

  test('K-02 an amount and an unknown name: the words in question, and what there is instead', () => {
    expect(of('account', (account) => (account.intro = 'Only $39, for {nobody}'))).toEqual([
      'error intro amount_in_copy: “$39” is an amount typed into copy. Use a placeholder such as {monthlyPrice}: it ' +
        'always shows what is charged.',
      expect.stringMatching(
        new RegExp(
          String.raw`^error intro unknown_placeholder: \{nobody\} is no placeholder\. ` +
            String.raw`There are: \{product\}, \{company\}, .*\{moneyBackSessions\}, \{priceNoticeDays\}\.$`,
        ),
      ),
    ])
  })

  test('K-02 V-03 A-05 a placeholder is refused where its page could not fill it', () => {
    const unfilled = (id: string, edit: (document: Loose) => void) => of(id, edit).map((one) => one.split('. ')[0])
    const article = (name: string) =>
      unfilled('advertorial-women-over60', (one) => (one.standfirst = `For {${name}} a day.`))
    expect(article('monthlyPrice')).toEqual([])
    for (const name of ['trialPrice', 'trialSaving', 'ageGroup', 'ageBucket', 'email', 'firstChargeDate'])
      expect(article(name)).toEqual([`error standfirst unfilled_placeholder: {${name}} is not filled in this text`])
    const all = 'For {trialPrice}, {trialSaving}, {ageGroup}, {ageBucket}, {email}'
    expect(unfilled('checkout', (one) => (one.heading = all))).toEqual([])
    expect(unfilled('checkout', (one) => (one.heading = '{firstChargeDate}'))).toHaveLength(1)
    expect(unfilled('offer', (one) => (one.introButton = `${all}, {firstChargeDate}`))).toEqual([])
    // a window is called by these, as they are built
    expect(unfilled('offer', (one) => (one.introTitle = `${all}, {product}`))).toHaveLength(5)
    expect(unfilled('checkout', (one) => (one.seo.title = all))).toHaveLength(5)
    expect(unfilled('upsell', (one) => (one.title = all))).toHaveLength(5)
    expect(unfilled('quiz', (one) => (one.welcome.text = '{ageGroup}: {ageBucket}'))).toHaveLength(1)
    expect(unfilled('quiz', (one) => (one.steps[0].title = '{ageGroup}'))).toHaveLength(1)
    const guide = (text: string) => told(checkDocument({ _id: 'programme.x', _type: 'guide', text }))
    expect([guide('Look up'), guide('{product}')]).toEqual([
      [],
      ['error text unfilled_placeholder: {product} is not filled in this text. There are none here.'],
    ])
  })

  test('K-02 the offer says its prices in both of its texts', () => {
    const lost = (names: string[]) => names.map((name) => expect.stringMatching(`This text has to say {${name}}.`))
    expect(of('offer', (offer) => (offer.introText = 'Half the price'))).toEqual(
      lost(['specialOfferPrice', 'listPrice', 'monthlyPrice', 'renewalDays']),
    )
    expect(of('offer', (offer) => (offer.detailsText = 'Half the price'))).toEqual(lost(['specialOfferPrice']))
    expect(note({ introText: 'Half the price', detailsText: 'Half the price' })).toEqual([])
  })

  test.each([
    'address ageGroups animation asked campaigns chart chosen consentVersion contactEmail gtmId icon id insight',
    'layout listItem match metaPixelId next operator parameter path productId provenance publishedAt slug source',
    'status storageKey style updatedAt utm value',
  ])('K-02 what nobody reads on a page is no copy: %s', (fields) => {
    for (const field of fields.split(' ')) {
      const findings = checkDocument({
        _id: 'x',
        _type: 'note',
        [field]: '$39 {nobody} save 99%',
        nested: [{ [field]: '$5' }],
      })
      expect(findings, field).toEqual([])
    }
    expect(checkDocument({ _id: 'x', _type: 'note', text: '$39' })).toHaveLength(1)
  })
})

describe('K-05 what a launch asks for', () => {
  const launch = (fields: object) => told(checkDocument({ _id: 'note', _type: 'note', ...fields }))

  test('K-05 sample content and addresses that exist in examples alone', () => {
    expect(launch({ sample: true })).toEqual([
      'launch sample sample_content: This is sample content. Replace it with your own, then switch ' +
        '“Sample content” off.',
    ])
    expect(launch({ sample: 'true' })).toEqual([])
    for (const end of ['example', 'TEST', 'invalid']) {
      expect(launch({ contactEmail: `help@shop.${end}` })).toEqual([
        'launch contactEmail example_address: This address exists only in examples. Nobody would receive the mail.',
      ])
    }
    expect(launch({ _type: 'settings', advertorialLabel: ' ' })).toContain(
      'launch advertorialLabel no_label: Advertorials have no label: say that they are advertisements.',
    )
    for (const address of ['help@shop.com', 'help@example.com', 'a@test.shop', 'a@eye.test.shop']) {
      expect(launch({ contactEmail: address }), address).toEqual([])
    }
  })

  test('K-05 a claim or a rating without its source, where the claim is', () => {
    const claim = (fields: object) => launch({ claims: [{ _key: 'one', ...fields }] })
    for (const _type of ['claim', 'rating']) {
      expect(claim({ _type, text: ' 9 of 10 agree ' })).toEqual([
        'launch claims[_key=="one"].source claim_without_source: “9 of 10 agree” has no source. Say where it is ' +
          'proved, or change it.',
      ])
      for (const fine of [{ text: '9 of 10', source: 'a study' }, { text: ' ' }, {}]) {
        expect(claim({ _type, ...fine })).toEqual([])
      }
    }
    expect(claim({ _type: 'quote', text: '9 of 10 agree' })).toEqual([])
  })

  test('K-05 savings follow from the prices, in whatever words', () => {
    for (const words of ['70% off', '70%off', '70 % Discount', '70% less', '70% cheaper', '70% saving']) {
      expect(launch({ text: words }), words).toEqual([expect.stringContaining(`“${words}” does not follow`)])
    }
    for (const words of ['save 70%', 'Saving of 70 %', 'a discount up to 70%', 'save  up to 70%']) {
      expect(launch({ text: words }).length, words).toBe(words.includes('  ') ? 0 : 1)
    }
    expect(launch({ text: '70% less than before' })).toHaveLength(1)
    for (const words of ['for 70% of people', 'people blink up to 70% less often'])
      expect(launch({ text: words }), words).toEqual([])
    const allowed = /they give (?<list>.*)\)\. Use \{specialOfferSaving\} or \{trialSaving\}, which are computed\.$/
    const list = allowed.exec(launch({ text: '1% off' })[0] ?? '')?.groups?.['list']?.split(', ') ?? []
    const numbers = list.map((one) => Number(one.replace('%', '')))
    expect(numbers.length).toBeGreaterThan(2)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    for (const number of numbers) expect(launch({ text: `${number}% off` })).toEqual([])
    const computed = TRIAL_IDS.map((tier) => fill('{trialSaving}', catalogueValues(tier)))
    for (const saving of [...computed, fill('{specialOfferSaving}', catalogueValues('trial_1'))]) {
      expect(list).toContain(saving)
    }
  })

  test('K-05 U-03 an add-on’s saving is that of its own prices', () => {
    const addOn = (text: string) => launch({ addOns: [{ _key: 'a', id: 'bundle', text }] })
    const [wrong = ''] = addOn('1% off')
    const own = /they give (\d+)%\)/.exec(wrong)?.[1]
    expect(own).toBeDefined()
    expect(addOn(`${own}% off`)).toEqual([])
  })
})

describe('K-05 documents', () => {
  test('K-05 a picture that is still being uploaded is waited for, wherever it stands', () => {
    const words = 'error picture uploading: This is still being uploaded. Publish once it is here, or remove it.'
    const picture = { _type: 'picture', _upload: { progress: 2 } }
    expect(of('testimonial-js', (one) => (one.picture = picture))).toEqual([words])
    const asset = { _type: 'reference', _ref: 'image-abc123-1200x900-webp' }
    // one that replaces another
    expect(of('testimonial-js', (one) => (one.picture = { ...picture, asset }))).toEqual([words])
    expect(of('testimonial-js', (one) => (one.picture = { _type: 'picture', asset }))).toEqual([])
    const article = of('advertorial-women-over60', (one) => one.body.push({ ...picture, _key: 'new' }))
    expect(article).toEqual([words.replace('picture', 'body[_key=="new"]')])
  })

  test('K-05 a picture that was put into a text and never chosen, an entry that holds nothing', () => {
    const body = (edit: (body: Loose[]) => void) => of('advertorial-women-over60', (one) => edit(one.body))
    const words = 'There is no picture here yet. Choose one, or remove this place.'
    const empty = { _type: 'picture', _key: 'new', alt: 'Words remain when a picture is taken out' }
    expect(body((blocks) => blocks.push(empty))).toEqual([`error body[_key=="new"] no_picture: ${words}`])
    // a field may be without one
    expect(of('testimonial-js', (one) => (one.picture = { _type: 'picture', alt: 'Jane' }))).toEqual([])
    expect(of('landing', (one) => one.benefits.push(null))).toEqual([
      expect.stringMatching(/^error benefits\[\d\] empty_entry: An entry of this list is empty. Remove it.$/),
    ])
  })

  test.each([
    ['https://', 'A web address names a site, such as https://example.com/page.'],
    ['https://example', 'A web address names a site, such as https://example.com/page.'],
    ['https://example.com/a page', 'An address has no spaces.'],
    [' /legal/privacy', 'An address has no spaces.'],
    ['mailto:', 'mailto: is followed by an e-mail address, or by {contactEmail}.'],
    ['example.com', 'An address begins with /, https:// or mailto:'],
    ['//example.com', 'An address begins with /, https:// or mailto:'],
    ['javascript:alert(1)', 'An address begins with /, https:// or mailto:'],
  ])('K-05 a link to “%s” leads nowhere', (href, words) => {
    const linked = (address: string) =>
      of('legal-privacy', ({ body }) => (body[0].markDefs = [{ _key: 'a', _type: 'link', href: address }]))
    expect(linked(href)).toEqual([expect.stringMatching(/href address: /)])
    expect(linked(href)[0]).toContain(words)
    for (const good of [
      '/',
      '/legal/terms',
      '/app/',
      'https://example.com/a',
      'mailto:a@b.example',
      'mailto:{contactEmail}?subject=Refund',
    ])
      expect(linked(good)).toEqual([])
  })

  test('K-05 a link to a page of this site that is not there is named, and stops nothing', () => {
    const noPage = (href: string) => {
      const document = changed('legal-privacy', ({ body }) => (body[0].markDefs = [{ _key: 'a', _type: 'link', href }]))
      const others = SAMPLE.map((line) => JSON.parse(line) as Document).filter(({ _id }) => _id !== document._id)
      const found = checkDataset([...others, document]).filter(({ code }) => code === 'no_page')
      return found.map(({ level, documentId, message }) => `${level} ${documentId}: ${message}`)
    }
    for (const dead of ['/legal/refunds', '/legal/refunds/#how', '/women-over-60', '/our/story'])
      expect(noPage(dead)).toEqual([
        'note legal-privacy: No page of this site has this address: visitors would read that it does not exist.',
      ])
    for (const good of ['/', '/quiz', '/quiz/?utm_source=a', '/app/', '/terms', '/checkout', '/legal/privacy#cookies'])
      expect(noPage(good)).toEqual([])
    for (const good of ['/women-over60', '/women-over60/', '/og.png', 'https://example.com/legal/refunds'])
      expect(noPage(good)).toEqual([])
  })

  test('K-05 each add-on stands once', () => {
    const count = (edit: (addOns: Loose[]) => void) => of('upsell', (upsell) => edit(upsell.addOns))
    expect(count((addOns) => addOns.splice(0, 1))).toEqual([
      expect.stringMatching(
        /^error addOns add_on_count: The product \w+ has to stand here once; it stands here 0 times\.$/,
      ),
    ])
    expect(count((addOns) => addOns.push({ ...addOns[0], _key: 'again' }))).toEqual([
      expect.stringMatching(/it stands here 2 times\.$/),
    ])
    expect(of('upsell', (upsell) => (upsell.addOns = 'none')).length).toBeGreaterThan(4)
  })

  test('A-05 A-07 a session without a recording is pointed out, and may be published', () => {
    const without = [
      'note audio no_recording: Without a recording members can read this session but not listen to it: it never ' +
        'counts as listened, and the next day opens without it.',
    ]
    expect(of('programme.session-09', (session) => delete session.audio)).toEqual(without)
    expect(of('programme.session-09', () => undefined)).toEqual([])
  })

  test('A-07 K-05 a recording that is no MP3 has no length to listen to, and the site serves MP3s only', () => {
    const recorded = (id: string, file: string) => {
      const asset = { _type: 'reference', _ref: `file-abc-${file}` }
      return of(id, (document) => (document.audio = { _type: 'file', asset }))
    }
    for (const id of ['programme.session-09', 'checkout']) {
      for (const file of ['m4a', 'wav', 'mp3-m4a']) {
        expect(recorded(id, file), `${id} ${file}`).toEqual([
          'error audio no_mp3: A recording has to be an MP3: the length of another kind is not known, so that ' +
            'listening to it would not count, and not every browser plays it. Choose an MP3.',
        ])
      }
      expect(recorded(id, 'mp3')).toEqual([])
    }
  })

  test('A-05 a session’s steps take as long as it says, within a minute, and each has words', () => {
    const session = (minutes: unknown, seconds: unknown[], text = 'Look far away') =>
      told(
        checkDocument({
          _id: 'programme.session-1',
          _type: 'programmeSession',
          audio: { _type: 'file' },
          minutes,
          steps: seconds.map((one, at) => ({ _key: `k${at}`, seconds: one, text })),
        }),
      )
    expect(session(5, [120, 120])).toEqual([])
    expect(session(5, [200, 160])).toEqual([])
    expect(session(undefined, [10])).toEqual([])
    expect(session(5, [239, '60'])).toEqual([
      'error minutes session_length: The steps take 4 minutes, but the session says 5.',
    ])
    expect(session(5, [200, 161])).toEqual([
      'error minutes session_length: The steps take 6 minutes, but the session says 5.',
    ])
    expect(session(5, [300], ' ')).toEqual([
      'error steps[_key=="k0"].text empty: A step needs words: not everyone can see the animation.',
    ])
  })

  test('A-05 K-05 what a guide does not show is named, so that nothing is left out in silence', () => {
    const asset = { _type: 'reference', _ref: 'image-abc123-1200x900-webp' }
    const added = (block: object) => of('programme.guide-habits', ({ body }) => body.push({ _key: 'new', ...block }))
    for (const block of [
      { _type: 'picture', asset },
      { _type: 'callToAction', text: 'See what helps.', button: 'Take the quiz' },
    ]) {
      expect(added(block), block._type).toEqual([
        'error body[_key=="new"] not_shown: A guide shows text and pull quotes only: nobody would see this. Remove it.',
      ])
    }
    expect(added({ _type: 'pullQuote', text: 'Look up.', attribution: 'J. S.' })).toEqual([])
    // an article shows them
    const picture = { _key: 'new', _type: 'picture', asset }
    expect(of('advertorial-women-over60', ({ body }) => body.push(picture))).toEqual([])
  })

  test('S-32 A-05 words of faults that block a document', () => {
    expect(of('testimonial-js', (testimonial) => (testimonial.provenance = ' '))).toEqual([
      'error provenance verified_without_source: “Verified” is shown only with a source: say where ' +
        'the words come from.',
    ])
    expect(of('testimonial-js', (one) => Object.assign(one, { provenance: '', verified: false }))).toEqual([])
    for (const [_type, _id] of [
      ['programmeWeek', 'week-1'],
      ['guide', 'guide-1'],
      ['guide', 'drafts.guide-1'],
      ['programmeSession', 'my.programme.session'],
    ] as const) {
      expect(told(checkDocument({ _id, _type, audio: {} })), _id).toEqual([
        'error  public_programme: This document could be read by anyone who has not paid. Use the places in the list ' +
          '“Programme”, whose ids are protected.',
      ])
    }
    for (const _id of ['programme.x', 'drafts.programme.x', 'versions.rRelease.programme.x']) {
      expect(checkDocument({ _id, _type: 'guide' }), _id).toEqual([])
    }
    expect(of('advertorial-women-over60', (article) => (article.path = 'women'))).toEqual([
      'error path path: An address begins with / and has small letters, digits and hyphens, such as /women-over60.',
    ])
    expect(of('advertorial-women-over60', (article) => (article.path = '/exit/now'))).toEqual([
      'error path reserved_path: /exit/now belongs to the site itself. Choose another address.',
    ])
  })

  test('K-05 G-01 a legal page that every page links to keeps its address, none takes one of the site’s own', () => {
    expect(of('legal-privacy', (page) => (page.slug = 'data'))).toEqual([
      'error slug moved_legal_page: Every page links to /legal/privacy: this address has to stay “privacy”.',
    ])
    const own = (slug: string) => {
      const page = JSON.parse(SAMPLE.find((line) => line.includes('"legal-privacy"')) ?? '')
      return told(checkDocument({ ...page, _id: 'own', slug })).filter((one) => one.startsWith('error'))
    }
    expect(own('own')).toEqual([])
    // it would never be shown: the page for addresses that lead nowhere is there
    expect(own('404')).toEqual([
      'error slug reserved_path: /legal/404 belongs to the site itself. Choose another address.',
    ])
  })

  test('G-01 K-05 a legal page cannot say that it was changed on a day that is still to come', () => {
    const page = { _id: 'legal-own', _type: 'legalPage', slug: 'own', title: 'Own', updatedAt: '2027-01-01' }
    const said = (document: Document, at: string) =>
      told(checkDocument(document, new Date(at))).filter((one) => one.includes('changed_later'))
    expect(said(page, '2026-12-30T23:00:00Z')).toEqual([
      'error updatedAt changed_later: “Last changed on” is 2027-01-01, which is still to come, and the page would ' +
        'say it from today on. Enter the day on which this is published; for a later one, use a release.',
    ])
    // the day has begun somewhere
    expect(said(page, '2026-12-31T12:00:00Z')).toEqual([])
    // checked again when the release is run, or as of the moment for which it is scheduled
    expect(said({ ...page, _id: 'versions.rSpring.legal-own' }, '2026-11-01T00:00:00Z')).toEqual([])
    const whole = (at: string) => checkDataset([page], 'all', new Date(at)).map(({ code }) => code)
    expect(whole('2026-11-01T00:00:00Z')).toContain('changed_later')
    expect(whole('2027-01-01T00:00:00Z')).not.toContain('changed_later')
    // invented content is as it is, whatever the clock of this machine says
    expect(said({ ...page, sample: true }, '2025-01-01T00:00:00Z')).toEqual([])
  })

  test('A-05 K-05 a week that has sessions but no document is named, once: no buyer would find them', () => {
    const without = (isGone: (document: Loose) => boolean) => {
      const left = SAMPLE.map((line) => JSON.parse(line) as Document).filter((document) => !isGone(document))
      return checkDataset(left).filter(({ level }) => level === 'error')
    }
    const isWeek = (n: number) => (one: Loose) => one._type === 'programmeWeek' && one.number === n
    const found = without(isWeek(3))
    expect(told(found)).toEqual([
      'error  missing_document: Week 3 of the programme is missing or not published: buyers would not find its ' +
        'sessions.',
    ])
    expect(found).toMatchObject([{ documentId: 'programme.week-3', documentType: 'programmeWeek' }])
    expect(without((one) => isWeek(3)(one) || (one.day >= 15 && one.day <= 21))).toEqual([])
    // the first and the last day of a week
    for (const day of [15, 21]) {
      expect(without((one) => isWeek(3)(one) || (one.day >= 15 && one.day <= 21 && one.day !== day))).toHaveLength(1)
    }
  })

  test('A-05 U-01 K-05 an add-on that is sold without its guide, and the days that are missing, are named', () => {
    const without = (...ids: string[]) => SAMPLE.map((line) => JSON.parse(line)).filter(({ _id }) => !ids.includes(_id))
    const open = (...given: Parameters<typeof checkDataset>) =>
      checkDataset(...given).filter(({ level, code }) => level === 'error' || code === 'missing_days')
    const guide = open(without('programme.guide-habits'))
    expect(told(guide)).toEqual([
      'error  missing_document: “20-20-20 Habit Formation” is sold, but its guide is missing or not published: who ' +
        'buys it would find nothing.',
    ])
    expect(guide).toMatchObject([{ documentId: 'programme.guide-habits', documentType: 'guide' }])
    expect(open(without('programme.bundle'))).toMatchObject([{ documentId: 'programme.bundle', level: 'error' }])
    const days = open(without('programme.session-05', 'programme.session-42'))
    expect(told(days)).toEqual([
      'launch  missing_days: All 42 days are sold. These are missing or not published: 5, 42.',
    ])
    expect(days).toMatchObject([{ documentId: 'programme.session-05', documentType: 'programmeSession' }])
    // nothing at all was put in yet; without a token nobody can tell
    const free = without().filter(({ _id }) => !_id.includes('.'))
    expect(open(free)).toHaveLength(7)
    expect(open(free, 'public')).toEqual([])
  })

  test('K-05 a draft is named as what it will be published as', () => {
    expect(checkDocument({ _id: 'overdrafts.note', _type: 'note', text: '$5' })).toMatchObject([
      { documentId: 'overdrafts.note' },
    ])
    for (const _id of ['drafts.note', 'versions.rRelease.note', 'note']) {
      expect(checkDocument({ _id, _type: 'note', text: '$5' })).toMatchObject([
        { documentId: 'note', documentType: 'note', level: 'error', path: ['text'] },
      ])
    }
  })

  test('K-05 documents together: what is missing, dead references, addresses and days that are taken', () => {
    const documents = (edit: (all: Loose[]) => Loose[] | undefined) => {
      const all = SAMPLE.map((line) => JSON.parse(line) as Loose)
      return told(checkDataset(edit(all) ?? all)).filter((one) => one.startsWith('error'))
    }
    expect(documents((all) => all.filter(({ _id }) => _id !== 'reading'))).toEqual([
      'error  missing_document: This document is missing or not published.',
    ])
    expect(documents((all) => all.filter(({ slug }) => slug !== 'contact-us'))).toEqual([
      'error  missing_document: The legal page /legal/contact-us is missing or not published.',
    ])
    // of another type, it replaces no legal page
    const another = (all: Loose[]) =>
      Object.assign(
        all.find(({ slug }) => slug === 'contact-us'),
        { _type: 'note' },
      )
    expect(documents((all) => void another(all))).toHaveLength(1)
    expect(checkDataset([]).find(({ documentId }) => documentId === 'legal-privacy')?.documentType).toBe('legalPage')
    const landing = (all: Loose[]) => all.find(({ _id }) => _id === 'landing')
    const pointing = (reference: object) => documents((all) => void (landing(all).more = [{ _key: 'r', ...reference }]))
    expect(pointing({ _ref: 'nobody' })).toEqual([
      'error more[_key=="r"] dead_reference: This points to “nobody”, which does not exist or is not published.',
    ])
    expect(pointing({ _ref: 'press-image-1' })).toHaveLength(1)
    for (const fine of [{ _ref: 'nobody', _weak: true }, { _ref: 'image-1-1x1-png' }, { _ref: 'quiz' }, { _ref: 7 }]) {
      expect(pointing(fine), JSON.stringify(fine)).toEqual([])
    }
    expect(
      documents((all) => {
        const [one, other] = all.filter(({ _type }) => _type === 'legalPage')
        return [...all, { ...one, _id: 'again' }, { ...other, _id: 'note', _type: 'note' }]
      }),
    ).toEqual([expect.stringMatching(/^error slug duplicate: /)])
    for (const [type, field] of [
      ['programmeWeek', 'number'],
      ['programmeSession', 'day'],
      ['guide', 'productId'],
    ] as const) {
      const taken = documents((all) => {
        const [one, other] = all.filter(({ _type }) => _type === type)
        other[field] = one[field]
        return undefined
      }).filter((one) => !one.includes('missing_document'))
      expect(taken, type).toEqual([
        expect.stringMatching(new RegExp(`^error ${field} duplicate: “\\S+” is taken by the document “programme\\.`)),
      ])
    }
  })
})
