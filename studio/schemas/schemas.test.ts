import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { SINGLETONS } from '../check/rules.ts'

// Schemas are plain objects: the Studio itself, a browser program, is not needed to read them.
vi.mock('sanity', () => {
  const same = (definition: unknown) => definition
  return { defineType: same, defineField: same, defineArrayMember: same, set: same, useFormValue: () => undefined }
})

interface Field {
  name: string
  title?: string
  description?: string
  type: string
  fields?: Field[]
  of?: { type: string }[]
  group?: string
  validation?: unknown
  preview?: unknown
  groups?: { name: string }[]
}

const { schemaTypes } = (await import('./index.ts')) as unknown as { schemaTypes: Field[] }
const documents = schemaTypes.filter(({ type }) => type === 'document')

/** Every field below a type, with its place. */
function fields(type: Field, place = type.name): { place: string; field: Field }[] {
  return (type.fields ?? []).flatMap((field) => [
    { place: `${place}.${field.name}`, field },
    ...fields(field, `${place}.${field.name}`),
  ])
}
const all = schemaTypes.flatMap((type) => fields(type))

describe('K-01 what editors see', () => {
  test('K-01 every page is a document, and every array item a known type', () => {
    expect(documents.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...SINGLETONS,
        'testimonial',
        'pressMention',
        'advertorial',
        'legalPage',
        'programmeWeek',
        'programmeSession',
        'guide',
      ]),
    )
    const known = new Set([...schemaTypes.map(({ name }) => name), 'string', 'block', 'reference', 'object'])
    expect(
      [...all.map(({ field }) => field), ...schemaTypes]
        .flatMap(({ of }) => of ?? [])
        .filter(({ type }) => !known.has(type)),
    ).toEqual([])
  })

  test('S-03 K-02 {symptoms} is offered in questions below the one for them alone', () => {
    type Offered = (document: unknown, path: unknown[]) => object
    const subtitle = all.find(({ place }) => place === 'questionStep.subtitle')?.field as unknown as {
      options: { placeholders: Offered }
    }
    const steps = ['eyeColor', 'symptoms', 'often'].map((storageKey) => ({ _key: storageKey, storageKey }))
    const offered = (_key: string, in_ = steps) =>
      Object.keys(subtitle.options.placeholders({ steps: in_ }, ['steps', { _key }, 'subtitle']))
    expect(steps.map(({ _key }) => offered(_key))).toEqual([[], [], ['symptoms']])
    expect(offered('often', steps.slice(2))).toEqual([])
  })

  test('A-05 K-01 a guide offers what its page shows, and nothing else', () => {
    const { type } = all.find(({ place }) => place === 'guide.body')?.field ?? {}
    const offered = schemaTypes.find(({ name }) => name === type)?.of
    expect(offered?.map((one) => one.type)).toEqual(['block', 'pullQuote'])
  })

  test('G-01 K-01 the date of a legal page is called in the form what its page says of it', () => {
    const title = all.find(({ place }) => place === 'legalPage.updatedAt')?.field.title
    const page = readFileSync(`${import.meta.dirname}/../../src/legal/Legal.astro`, 'utf8')
    expect(page).toContain(`${title} <time datetime={page.updatedAt}>`)
  })

  test('K-01 every field has a title and a description', () => {
    expect(all.length).toBeGreaterThan(180)
    expect(all.filter(({ field }) => !field.title || !field.description).map(({ place }) => place)).toEqual([])
  })

  test('K-01 every document has a preview, and every field of a grouped form its group', () => {
    expect(documents.filter(({ preview }) => preview === undefined).map(({ name }) => name)).toEqual([])
    for (const { name, groups, fields: own } of documents) {
      if (groups === undefined) continue
      const known = groups.map((group) => group.name)
      expect(own?.filter(({ group }) => !known.includes(group ?? '')).map((field) => `${name}.${field.name}`)).toEqual(
        [],
      )
    }
  })

  test('K-05 K-07 every document runs the publish check and can be marked as sample', () => {
    for (const { name, validation, fields: own } of documents) {
      expect(typeof validation, name).toBe('function')
      expect(
        own?.map((field) => field.name),
        name,
      ).toContain('sample')
    }
  })

  test('K-05 statements carry a source, testimonials and press where they come from', () => {
    const has = (type: string, field: string) => all.some(({ place }) => place === `${type}.${field}`)
    expect([has('claim', 'source'), has('testimonial', 'provenance'), has('pressMention', 'provenance')]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe('K-05 the publish check in the Studio', () => {
  interface Rule {
    level: string | undefined
    check: ((value: unknown) => unknown) | undefined
    custom: (check: (value: unknown) => unknown) => Rule
    error: () => Rule
    warning: () => Rule
    info: () => Rule
  }
  const rule = (level?: string, check?: (value: unknown) => unknown): Rule => ({
    level,
    check,
    custom: (next) => rule(level, next),
    error: () => rule('error', check),
    warning: () => rule('warning', check),
    info: () => rule('info', check),
  })

  function validate(type: string, document: object): Record<string, unknown> {
    const { validation } = documents.find(({ name }) => name === type) as { validation: (rule: Rule) => Rule[] }
    return Object.fromEntries(validation(rule()).map(({ level, check }) => [level, check?.(document)]))
  }

  test('K-02 K-05 blocks an amount typed into copy, at its field', () => {
    const { error } = validate('account', { _id: 'drafts.account', _type: 'account', intro: 'Only $39' })
    expect(error).toEqual([{ message: expect.stringContaining('“$39”'), path: ['intro'] }])
  })

  test('K-05 warns of sample content and unsourced claims, which do not block', () => {
    const checks = validate('landing', {
      _id: 'landing',
      _type: 'landing',
      sample: true,
      benefits: [{ _key: 'a', _type: 'claim', text: 'Results in just 7 days' }],
    })
    expect(checks['error']).toBe(true)
    expect(checks['warning']).toMatchObject([{ path: ['sample'] }, { path: ['benefits', { _key: 'a' }, 'source'] }])
  })
})
