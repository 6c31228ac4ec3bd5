/**
 * GROQ cases with the results that https://www.sanity.io/docs/specifications/groq-* document, over
 * HTTP through @sanity/client.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { failure, testLake, type TestLake } from './fixture.ts'

let lake: TestLake
const block = (text: string, key: string) => ({
  _type: 'block',
  _key: key,
  children: [{ _type: 'span', _key: 's', text, marks: [] }],
})

beforeAll(async () => {
  lake = await testLake()
  const ref = (id: string) => ({ _type: 'reference', _ref: id })
  const docs = [
    { _id: 'ann', _type: 'author', name: 'Ann Able', born: 1950, tags: ['eyes', 'calm'], address: { city: 'Oslo' } },
    { _id: 'bob', _type: 'author', name: 'Bob Best', born: 1960, tags: [] },
    {
      _id: 'one',
      _type: 'post',
      title: 'Rest your eyes',
      rating: 3,
      author: ref('ann'),
      body: [block('Look away.', 'a'), block('Blink.', 'b')],
      parts: [
        { _key: 'x', n: 1, on: true },
        { _key: 'y', n: 2, on: false },
        { _key: 'z', n: 3, on: true },
      ],
    },
    {
      _id: 'two',
      _type: 'post',
      title: 'Walk outside',
      rating: 5,
      author: ref('bob'),
      published: '2026-03-01T10:00:00Z',
    },
    {
      _id: 'three',
      _type: 'post',
      title: 'Screens and eyes',
      rating: 4,
      author: ref('ann'),
      editors: [{ ...ref('bob'), _key: 'e' }],
    },
    { _id: 'drafts.two', _type: 'post', title: 'Walk in the wood', rating: 5, author: ref('bob') },
    { _id: 'drafts.four', _type: 'post', title: 'Only a draft', rating: 1 },
    { _id: 'programme.day1', _type: 'day', title: 'Day 1' },
  ]
  await lake.client.mutate(docs.map((doc) => ({ create: doc })) as never)
})
afterAll(() => lake.stop())

const cases: [string, string, Record<string, unknown>, unknown][] = [
  ['filters by type, order by id when none is asked', '*[_type == "author"]._id', {}, ['ann', 'bob']],
  ['parameters', '*[_type == $type && born > $year][0].name', { type: 'author', year: 1955 }, 'Bob Best'],
  [
    'order descending and slice, exclusive end',
    '*[_type == "post"] | order(rating desc)[0...2].title',
    {},
    ['Walk outside', 'Screens and eyes'],
  ],
  ['slice, inclusive end', '*[_type == "post"] | order(rating asc)[0..1]._id', {}, ['one', 'three']],
  [
    'slice bounded by parameters',
    '*[_type == "post"] | order(rating asc)[$a...$b]._id',
    { a: 1, b: 3 },
    ['three', 'two'],
  ],
  [
    'order by several keys',
    '*[_type == "post"] | order(author._ref desc, rating desc)._id',
    {},
    ['two', 'three', 'one'],
  ],
  [
    'projection, rename, computed',
    '*[_id == "one"][0]{title, "double": rating * 2, "n": count(parts)}',
    {},
    { title: 'Rest your eyes', double: 6, n: 2 + 1 },
  ],
  ['missing attribute is null', '*[_id == "one"][0]{nothing}', {}, { nothing: null }],
  ['reference followed', '*[_id == "one"][0].author->name', {}, 'Ann Able'],
  [
    'reference followed and projected',
    '*[_id == "one"][0]{author->{name, "city": address.city}}',
    {},
    { author: { name: 'Ann Able', city: 'Oslo' } },
  ],
  ['references in an array followed', '*[_id == "three"][0].editors[]->name', {}, ['Bob Best']],
  ['references() finds what points here', '*[references("bob")]._id', {}, ['three', 'two']],
  [
    'join through ^',
    '*[_type == "author"]{name, "posts": *[_type == "post" && author._ref == ^._id]._id}',
    {},
    [
      { name: 'Ann Able', posts: ['one', 'three'] },
      { name: 'Bob Best', posts: ['two'] },
    ],
  ],
  ['array filter', '*[_id == "one"][0].parts[on == true].n', {}, [1, 3]],
  ['array element by key', '*[_id == "one"][0].parts[_key == "y"][0].n', {}, 2],
  ['negative index', '*[_id == "one"][0].parts[-1].n', {}, 3],
  ['flattening', '*[_type == "author"].tags[]', {}, ['eyes', 'calm']],
  ['coalesce', '*[_id == "one"][0]{"x": coalesce(nothing, title, "z")}', {}, { x: 'Rest your eyes' }],
  [
    'select',
    '*[_type == "post"]{"s": select(rating >= 5 => "high", rating >= 4 => "mid", "low")}.s',
    {},
    ['low', 'mid', 'high'],
  ],
  ['conditional projection', '*[_id == "two"][0]{_id, rating > 4 => {"best": true}}', {}, { _id: 'two', best: true }],
  ['spread', '*[_id == "bob"][0]{...address, "has": defined(born), ...{"k": 1}}', {}, { has: true, k: 1 }],
  ['pt::text', 'pt::text(*[_id == "one"][0].body)', {}, 'Look away.\n\nBlink.'],
  ['match words', '*[_type == "post" && title match "eyes"]._id', {}, ['one', 'three']],
  ['match prefix', '*[_type == "post" && title match "wal*"]._id', {}, ['two']],
  ['match needs all words', '*[_type == "post" && title match ["screens", "eyes"]]._id', {}, ['three']],
  [
    'score and boost',
    '*[_type == "post"] | score(boost(title match "screens", 3), title match "eyes") | order(_score desc)[0...2]._id',
    {},
    ['three', 'one'],
  ],
  ['in array', '*[_id in ["two", "ann"]]._id', {}, ['ann', 'two']],
  ['in of an attribute', '*["calm" in tags]._id', {}, ['ann']],
  ['range', '*[_type == "author" && born in 1940..1955]._id', {}, ['ann']],
  ['path()', '*[_id in path("programme.*")]._id', {}, ['programme.day1']],
  [
    'string functions',
    '[lower("ÅB"), upper("ab"), string::split("a,b", ","), string::startsWith("abc", "ab"), length("äb")]',
    {},
    ['åb', 'AB', ['a', 'b'], true, 2],
  ],
  [
    'array functions',
    '[array::unique([1, 1, 2]), array::compact([1, null]), array::join(["a", "b"], "-")]',
    {},
    [[1, 2], [1], 'a-b'],
  ],
  [
    'math',
    '[math::sum([1, 2]), math::avg([1, 3]), math::min([2, 1]), math::max([2, 1]), round(3.14159, 2), 7 % 4, 2 ** 3]',
    {},
    [3, 2, 1, 2, 3.14, 3, 8],
  ],
  ['date arithmetic', 'dateTime(*[_id == "two"][0].published) + 60', {}, '2026-03-01T10:01:00Z'],
  ['comparison of different types is null, in a filter nothing', '*[_type == "post" && rating > "a"]._id', {}, []],
  ['null logic', '[null == null, !(null == 1), defined(null)]', {}, [true, true, false]],
  ['count with a filter', 'count(*[_type == "post" && !(_id in path("drafts.**"))])', {}, 3],
  [
    'several at once',
    '{"a": count(*[_type == "author"]), "b": *[_id == "two"][0].title}',
    {},
    { a: 2, b: 'Walk outside' },
  ],
  [
    'text::query of the Studio',
    '*[_type == "post" && [@, _id] match text::query($q)]._id',
    { q: 'eyes scr*' },
    ['three'],
  ],
  ['sanity::projectId', '[sanity::projectId(), sanity::dataset()]', {}, ['local0001', 'production']],
  ['one that does not exist', '*[_id == "nope"][0]', {}, null],
]

describe('GROQ', () => {
  test.each(cases)('%s', async (_title, query, params, expected) => {
    expect(await lake.client.fetch(query, params, { perspective: 'published' })).toEqual(expected)
  })
})

describe('perspectives', () => {
  const titles = '*[_type == "post"] | order(_id)._id'
  test('published hides drafts, raw shows all, drafts lays them over', async () => {
    expect(await lake.client.fetch(titles, {}, { perspective: 'published' })).toEqual(['one', 'three', 'two'])
    expect(await lake.client.fetch(titles, {}, { perspective: 'raw' })).toEqual([
      'drafts.four',
      'drafts.two',
      'one',
      'three',
      'two',
    ])
    expect(
      await lake.client.fetch(
        '*[_type == "post"] | order(_id){_id, _originalId, title}',
        {},
        { perspective: 'drafts' },
      ),
    ).toEqual([
      { _id: 'four', _originalId: 'drafts.four', title: 'Only a draft' },
      { _id: 'one', _originalId: 'one', title: 'Rest your eyes' },
      { _id: 'three', _originalId: 'three', title: 'Screens and eyes' },
      { _id: 'two', _originalId: 'drafts.two', title: 'Walk in the wood' },
    ])
  })
  test('without one the API version decides: published since 2025-02-19, raw before', async () => {
    const ask = async (version: string) => {
      const query = encodeURIComponent('count(*[_type=="post"])')
      const address = `${lake.lake.url}/v${version}/data/query/production?query=${query}`
      const answer = await fetch(address, { headers: { authorization: 'Bearer token-of-the-tests' } })
      return ((await answer.json()) as { result: number }).result
    }
    expect(await ask('2026-11-01')).toBe(3)
    expect(await ask('2025-02-19')).toBe(3)
    expect(await ask('X')).toBe(3)
    expect(await ask('2024-01-01')).toBe(5)
    expect(await ask('1')).toBe(5)
  })
  test('a release comes before drafts when it is named first', async () => {
    await lake.client.create({ _id: 'versions.spring.two', _type: 'post', title: 'Spring' })
    onTestFinished(async () => void (await lake.client.delete('versions.spring.two')))
    expect(await lake.client.fetch('*[_id == "two"][0].title', {}, { perspective: ['spring', 'drafts'] })).toBe(
      'Spring',
    )
    expect(await lake.client.fetch('*[_id == "two"][0].title', {}, { perspective: 'drafts' })).toBe('Walk in the wood')
  })
})

describe('broken queries', () => {
  test('a syntax error is 400 queryParseError with its place', async () => {
    const { status, body } = await failure(lake.client.fetch('*[_type == '))
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'queryParseError', start: expect.any(Number), end: expect.any(Number) })
  })
  test('a missing parameter is named', async () => {
    const { status, body } = await failure(lake.client.fetch('*[_type == $type]'))
    expect([status, body.error.description]).toEqual([400, 'param $type referenced, but not provided'])
  })
  test('an unknown function, an unknown dataset, a parameter that is no JSON', async () => {
    expect((await failure(lake.client.fetch('nosuch(1)'))).status).toBe(400)
    expect((await failure(lake.client.withConfig({ dataset: 'nothing' }).fetch('*'))).status).toBe(404)
    const answer = await fetch(`${lake.lake.url}/v2026-11-01/data/query/production?query=*&$x={`)
    expect(answer.status).toBe(400)
  })
  test('a query too long for an address is posted', async () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `long-id-${i}`)
    expect(await lake.client.fetch('*[_id in $ids]._id', { ids: [...ids, 'one'] })).toEqual(['one'])
  })
})
