import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pathText, type Document } from './finding.ts'
import { checkDataset, checkDocument } from './rules.ts'

const FOLDER = new URL('../dataset/', import.meta.url)

function sample(): Document[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Document)
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
function broken(id: string, edit: (document: any) => void): string[] {
  const documents = sample()
  edit(documents.find(({ _id }) => _id === id))
  return checkDataset(documents)
    .filter(({ level }) => level === 'error')
    .map(({ documentId, path, code }) => `${documentId} ${pathText(path)} ${code}`)
}

describe('the sample dataset', () => {
  test('K-05 K-07 is not broken, and every document of it is marked as sample', () => {
    const findings = checkDataset(sample())
    expect(findings.filter(({ level }) => level === 'error')).toEqual([])
    const marked = findings.filter(({ code }) => code === 'sample_content').map(({ documentId }) => documentId)
    expect(marked).toEqual(sample().map(({ _id }) => _id))
  })

  test('K-05 C-04 O-01 a launch lists unsourced claims and savings that do not follow from the prices', () => {
    const launch = checkDataset(sample()).filter(({ level, code }) => level === 'launch' && code !== 'sample_content')
    const codes = new Map<string, string[]>()
    for (const { code, documentId, path } of launch)
      codes.set(code, [...(codes.get(code) ?? []), `${documentId} ${pathText(path)}`])
    expect(codes.get('saving_not_in_catalogue')).toEqual(['checkout countdownText', 'offer introText'])
    expect(codes.get('example_address')).toEqual(['settings contactEmail'])
    expect(codes.get('claim_without_source')).toEqual(
      expect.arrayContaining(['checkout rating.source', 'landing benefits[_key=="results-in-just-7-days"].source']),
    )
  })
})

describe('K-05 a quiz that could break is not published', () => {
  test('K-05 two questions under one storage key', () => {
    expect(broken('quiz', ({ steps }) => (steps[9].storageKey = 'lightSensitivity'))).toEqual([
      'quiz steps[_key=="work-lighting"].storageKey duplicate_key',
    ])
  })

  test('K-05 a target that does not exist', () => {
    expect(broken('quiz', ({ steps }) => (steps[0].next = '34'))).toEqual([
      'quiz steps[_key=="eye-color"].next dead_target',
    ])
  })

  test('K-05 a last step without a way on', () => {
    expect(broken('quiz', ({ steps }) => delete steps[32].next)).toEqual(['quiz steps[_key=="price"].next dead_target'])
  })

  test('K-05 a circle, and a step that nothing leads to', () => {
    expect(broken('quiz', ({ steps }) => (steps[5].next = '3'))).toEqual([
      'quiz steps[_key=="dry-eye-facts"].next loop',
    ])
    expect(broken('quiz', ({ steps }) => (steps[4].next = '7'))).toEqual([
      'quiz steps[_key=="dry-eye-facts"] unreachable',
    ])
  })

  test('K-05 no e-mail step, two price steps, a question after the results', () => {
    expect(broken('quiz', ({ steps }) => steps.splice(22, 1))).toEqual(['quiz steps step_count'])
    expect(broken('quiz', ({ steps }) => steps.push({ ...steps[32], _key: 'price-2' }))).toEqual(
      expect.arrayContaining(['quiz steps step_count']),
    )
    expect(broken('quiz', ({ steps }) => steps.splice(27, 0, steps.splice(2, 1)[0]))).toEqual([
      'quiz steps[_key=="symptom-frequency"] step_order',
    ])
  })

  test('K-05 an answer that the score reads is gone or has another value; its label may change', () => {
    expect(broken('quiz', ({ steps }) => (steps[8].options[3].value = '8+'))).toEqual([
      'quiz steps[_key=="screen-time"].options missing_value',
    ])
    expect(broken('quiz', ({ steps }) => (steps[8].options[3].label = 'All day long'))).toEqual([])
    expect(broken('quiz', ({ steps }) => steps.splice(12, 1))).toEqual(['quiz steps missing_step'])
  })

  test('K-05 two options with one value', () => {
    expect(broken('quiz', ({ steps }) => (steps[0].options[1].value = 'amber'))).toEqual([
      'quiz steps[_key=="eye-color"].options[_key=="blue"].value duplicate_value',
    ])
  })

  test('K-05 a missing placeholder', () => {
    expect(broken('quiz', ({ steps }) => (steps[32].note = 'Pay nothing yet.'))).toEqual([
      'quiz steps[_key=="price"].note missing_placeholder',
    ])
    expect(broken('quiz', ({ welcome }) => (welcome.text = 'Hello.'))).toEqual([
      'quiz welcome.text missing_placeholder',
    ])
  })
})

describe('K-02 copy carries placeholders, never amounts', () => {
  test.each(['Only $39', 'Only 39 USD', 'Only 19.90 dollars', 'Only 39 €'])('K-02 “%s” is refused', (text) => {
    expect(broken('account', (account) => (account.intro = text))).toEqual(['account intro amount_in_copy'])
  })

  test('K-02 deep in rich text too, and names that are no placeholder', () => {
    expect(broken('legal-privacy', ({ body }) => (body[0].children[0].text = 'Costs $5 for {yearlyPrice}'))).toEqual([
      expect.stringMatching(/^legal-privacy body\[_key=="\w+"\]\.children\[_key=="\w+"\]\.text amount_in_copy$/),
      expect.stringMatching(/unknown_placeholder$/),
    ])
  })

  test('K-02 an amount or a saving that formatting cuts in two is found where it begins, and once', () => {
    const cut = (...texts: string[]) => {
      const children = texts.map((text, index) => ({ _type: 'span', _key: `s${index}`, text }))
      const page = { _id: 'page', _type: 'legalPage', body: [{ _type: 'block', _key: 'b', children }] }
      return checkDocument(page).map(({ path, code }) => `${pathText(path)} ${code}`)
    }
    const at = (key: string, code: string) => [`body[_key=="b"].children[_key=="${key}"].text ${code}`]
    expect(cut('Only ', '$', '49.99')).toEqual(at('s1', 'amount_in_copy'))
    expect(cut('Costs 49', ' dollars', ' now')).toEqual(at('s0', 'amount_in_copy'))
    expect(cut('$5 ', 'a month')).toEqual(at('s0', 'amount_in_copy'))
    expect(cut('Now ', '11%', ' off')).toEqual(at('s1', 'saving_not_in_catalogue'))
    expect(cut('5', ' minutes')).toEqual([])
  })

  test.each([
    ['{monthly price} a month', '{monthly price}'],
    ['{ monthlyPrice } a month', '{ monthlyPrice }'],
    ['{monthlyPrice a month', '{monthlyPrice a month'],
    ['monthlyPrice} a month', '}'],
    ['{{monthlyPrice}} a month', '{}'],
  ])('K-02 “%s” would be read as it stands: the braces are no placeholder’s', (text, braces) => {
    expect(broken('account', (account) => (account.intro = text))).toEqual(['account intro stray_brace'])
    const account = sample().find(({ _id }) => _id === 'account') as Document
    const [finding] = checkDocument({ ...account, intro: text }).filter(({ code }) => code === 'stray_brace')
    expect(finding?.message).toMatch(`“${braces}” would be read as it stands`)
  })

  test('K-02 the address of a link is filled too, so its placeholders are checked', () => {
    const linked = (href: string) =>
      broken('legal-privacy', ({ body }) => (body[0].markDefs = [{ _key: 'a', _type: 'link', href }]))
    expect(linked('mailto:{contactEmail}')).toEqual([])
    expect(linked('https://prices.example/$5')).toEqual([])
    expect(linked('mailto:{contactMail}')).toEqual([
      expect.stringMatching(/^legal-privacy body\[_key=="[\w-]+"\]\.markDefs\[_key=="a"\]\.href unknown_placeholder$/),
    ])
  })

  test('S-03 K-02 {symptoms} is known in the subtitle of a question only', () => {
    expect(broken('quiz', ({ steps }) => (steps[2].title = 'Your {symptoms}?'))).toEqual([
      'quiz steps[_key=="symptom-frequency"].title unknown_placeholder',
    ])
  })
})

describe('documents that belong together', () => {
  test('K-05 a missing singleton, a missing legal page, a reference to nothing', () => {
    const without = (id: string) =>
      checkDataset(sample().filter(({ _id }) => _id !== id)).filter((f) => f.level === 'error')
    expect(without('offer')).toMatchObject([{ code: 'missing_document', documentId: 'offer' }])
    expect(without('legal-privacy')).toMatchObject([{ code: 'missing_document', documentId: 'legal-privacy' }])
    expect(without('legal-accessibility')).toMatchObject([{ documentId: 'legal-accessibility' }])
    expect(without('press-quiet-desk')).toMatchObject([{ code: 'dead_reference', documentId: 'quiz' }])
  })

  test('K-05 V-03 an advertorial under an address of the site, or of another advertorial', () => {
    for (const path of ['/quiz', '/undo', '/mail-link', '/exit/now', '/cancel', '/paypal-return', '/api', '/og']) {
      expect(
        broken('advertorial-women-over60', (article) => (article.path = path)),
        path,
      ).toEqual(['advertorial-women-over60 path reserved_path'])
    }
    for (const path of ['women', '/', '/Women', '/women/', '/a b', '//women', '/women.html', '']) {
      expect(
        broken('advertorial-women-over60', (article) => (article.path = path)),
        path,
      ).toEqual(['advertorial-women-over60 path path'])
    }
    expect(broken('advertorial-women-over60', (article) => (article.path = '/stories/over-60'))).toEqual([])
    expect(broken('advertorial-women-over60', (article) => (article.path = '/screen-tired-eyes'))).toEqual([
      expect.stringMatching(/^advertorial-.* path duplicate$/),
    ])
  })

  test('K-05 paid content with an id that anyone could read', () => {
    const session = sample().find(({ _type }) => _type === 'programmeSession') as Document
    expect(checkDocument({ ...session, _id: 'session-01' }).map(({ code }) => code)).toContain('public_programme')
    expect(checkDocument({ ...session, _id: `drafts.${session._id}` }).map(({ code }) => code)).not.toContain(
      'public_programme',
    )
  })

  test('S-32 K-05 “verified” without a source', () => {
    expect(broken('testimonial-js', (testimonial) => delete testimonial.provenance)).toEqual([
      'testimonial-js provenance verified_without_source',
    ])
  })

  test('A-05 K-07 six weeks, 42 sessions of about five minutes, every guide and the bundle', () => {
    const count = (type: string) => sample().filter(({ _type }) => _type === type).length
    expect([count('programmeWeek'), count('programmeSession'), count('guide')]).toEqual([6, 42, 6])
  })
})
