/**
 * Mutations with the results https://www.sanity.io/docs/http-reference/mutation and /http-patches
 * document, through @sanity/client.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failure, testLake, type TestLake } from './fixture.ts'

let lake: TestLake
beforeAll(async () => {
  lake = await testLake()
})
afterAll(() => lake.stop())

const start = {
  _id: 'd',
  _type: 'thing',
  text: 'Hello world',
  n: 5,
  deep: { a: 1 },
  list: [
    { _key: 'a', v: 1 },
    { _key: 'b', v: 2 },
    { _key: 'c', v: 3 },
  ],
  words: ['x', 'y'],
}
beforeEach(async () => {
  await lake.client.createOrReplace(start)
})
const doc = () => lake.client.getDocument('d') as Promise<Record<string, never>>
const keys = async () => ((await doc()).list as unknown as { _key: string }[]).map((item) => item._key).join('')
const post = (body: unknown, query = '') =>
  fetch(`${lake.lake.url}/v2026-11-01/data/mutate/production${query}`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-of-the-tests', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('documents', () => {
  test('create makes ids: random, after a prefix, as given', async () => {
    const a = await lake.client.create({ _type: 'thing' })
    expect(a._id).toMatch(/^[0-9a-f-]{36}$/)
    const b = await lake.client.create({ _id: 'drafts.', _type: 'thing' })
    expect(b._id).toMatch(/^drafts\.[0-9a-f-]{36}$/)
    expect(a).toMatchObject({
      _createdAt: expect.any(String),
      _updatedAt: expect.any(String),
      _rev: expect.any(String),
    })
  })
  test('create of an existing id is 409 documentAlreadyExistsError and undoes the transaction', async () => {
    const { status, body } = await failure(
      lake.client.transaction().create({ _id: 'fresh', _type: 'thing' }).create({ _id: 'd', _type: 'thing' }).commit(),
    )
    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      type: 'mutationError',
      items: [{ index: 1, error: { type: 'documentAlreadyExistsError', id: 'd' } }],
    })
    expect(await lake.client.getDocument('fresh')).toBeUndefined()
  })
  test('createIfNotExists keeps what is there; createOrReplace replaces all of it', async () => {
    await lake.client.createIfNotExists({ _id: 'd', _type: 'thing', n: 1 })
    expect((await doc()).n).toBe(5)
    const before = await doc()
    const after = await lake.client.createOrReplace({ _id: 'd', _type: 'thing', m: 1 })
    expect(after).toMatchObject({ m: 1, _createdAt: before._createdAt })
    expect(after).not.toHaveProperty('n')
    expect(after._rev).not.toBe(before._rev)
  })
  test('delete by id and by query; deleting nothing succeeds', async () => {
    await lake.client.mutate([1, 2, 3].map((i) => ({ createOrReplace: { _id: `k${i}`, _type: 'kill', i } })) as never)
    await lake.client.delete({ query: '*[_type == "kill" && i < $max]', params: { max: 3 } })
    expect(await lake.client.fetch('*[_type == "kill"]._id')).toEqual(['k3'])
    await expect(lake.client.delete('nothing-here')).resolves.toBeDefined()
  })
  test('results: none, ids, documents', async () => {
    const mutations = [{ patch: { id: 'd', set: { n: 1 } } }]
    const results = async (query: string) =>
      ((await (await post({ mutations }, query)).json()) as { results: unknown[] }).results
    expect(await results('')).toEqual([])
    expect(await results('?returnIds=true')).toEqual([{ id: 'd', operation: 'update' }])
    expect(await results('?returnDocuments=true')).toMatchObject([{ id: 'd', operation: 'update', document: { n: 1 } }])
  })
  test('a dry run changes nothing; the same transaction id is carried out once', async () => {
    await lake.client.patch('d').inc({ n: 1 }).commit({ dryRun: true })
    expect((await doc()).n).toBe(5)
    for (let i = 0; i < 3; i++)
      await post({ mutations: [{ patch: { id: 'd', inc: { n: 1 } } }], transactionId: 'once-only' })
    expect(await doc()).toMatchObject({ n: 6, _rev: 'once-only' })
  })
  test('autoGenerateArrayKeys', async () => {
    await lake.client
      .patch('d')
      .set({ list: [{ v: 9 }] })
      .commit({ autoGenerateArrayKeys: true })
    expect((await doc()).list).toEqual([{ v: 9, _key: expect.stringMatching(/^.{10,}$/) }])
  })
})

describe('patches', () => {
  const patched = async (operations: Record<string, unknown>) => {
    await lake.client.mutate([{ patch: { id: 'd', ...operations } }] as never)
    return doc()
  }
  test('set: fields, paths, array items by key and index, making objects on the way', async () => {
    const after = await patched({
      set: { text: 'T', 'deep.b': 2, 'new.far': 1, 'list[_key=="b"].v': 20, 'list[0].v': 10 },
    })
    expect(after).toMatchObject({
      text: 'T',
      deep: { a: 1, b: 2 },
      new: { far: 1 },
      list: [{ v: 10 }, { v: 20 }, { v: 3 }],
    })
  })
  test('setIfMissing', async () => {
    expect(await patched({ setIfMissing: { n: 1, m: 2, 'deep.a': 9, 'deep.z': 3 } })).toMatchObject({
      n: 5,
      m: 2,
      deep: { a: 1, z: 3 },
    })
  })
  test('unset: fields, by key, by index, by condition, of nothing', async () => {
    expect(
      await patched({ unset: ['n', 'deep.a', 'nowhere.at.all', '_empty_action_guard_pseudo_field_'] }),
    ).not.toHaveProperty('n')
    await patched({ unset: ['list[_key=="b"]'] })
    expect(await keys()).toBe('ac')
    await patched({ unset: ['list[v > 2]'] })
    expect(await keys()).toBe('a')
    expect((await patched({ unset: ['words[0]'] })).words).toEqual(['y'])
  })
  test('inc and dec', async () => {
    expect((await patched({ inc: { n: 3 }, dec: { 'list[_key=="a"].v': 2 } })).n).toBe(8)
    expect((await doc()).list).toMatchObject([{ v: -1 }, { v: 2 }, { v: 3 }])
  })
  test.each([
    ['before the first', { before: 'list[0]' }, 'zabc'],
    ['before a key', { before: 'list[_key=="b"]' }, 'azbc'],
    ['after a key', { after: 'list[_key=="b"]' }, 'abzc'],
    ['after the last', { after: 'list[-1]' }, 'abcz'],
    ['replace a key', { replace: 'list[_key=="b"]' }, 'azc'],
    ['replace a range', { replace: 'list[0:2]' }, 'zc'],
    ['replace to the end', { replace: 'list[1:]' }, 'az'],
  ])('insert %s', async (_title, where, expected) => {
    await patched({ insert: { ...where, items: [{ _key: 'z', v: 0 }] } })
    expect(await keys()).toBe(expected)
  })
  test('append and prepend, into an empty list too', async () => {
    await lake.client.patch('d').setIfMissing({ fresh: [] }).append('fresh', ['b']).commit()
    await lake.client.patch('d').prepend('fresh', ['a']).commit()
    expect((await doc()).fresh).toEqual(['a', 'b'])
  })
  test('diffMatchPatch', async () => {
    expect((await patched({ diffMatchPatch: { text: '@@ -3,9 +3,11 @@\n llo \n+my \n worl\n' } })).text).toContain('my')
    expect((await patched({ diffMatchPatch: { text: '@@ -1,5 +1,3 @@\n-Hello\n+Bye\n' } })).text).toMatch(/^Bye/)
  })
  test('two edits of one text made from the same state both survive', async () => {
    await lake.client.patch('d').set({ text: 'The quick brown fox jumps over the lazy dog' }).commit()
    await patched({ diffMatchPatch: { text: '@@ -1,13 +1,12 @@\n The \n-quick\n+slow\n  bro\n' } })
    await patched({ diffMatchPatch: { text: '@@ -33,11 +33,12 @@\n he \n-lazy\n+tired\n  dog\n' } })
    expect((await doc()).text).toBe('The slow brown fox jumps over the tired dog')
  })
  test('recursive path', async () => {
    await patched({ set: { '..v': 7 } })
    expect((await doc()).list).toMatchObject([{ v: 7 }, { v: 7 }, { v: 7 }])
  })
  test('order within one patch: setIfMissing, set, unset, inc', async () => {
    expect(await patched({ inc: { c: 1 }, set: { c: 1 }, setIfMissing: { c: 100 }, unset: ['text'] })).toMatchObject({
      c: 2,
    })
  })
  test('patch by query', async () => {
    await lake.client.createOrReplace({ _id: 'e', _type: 'thing', n: 50 })
    await lake.client
      .patch({ query: '*[_type == "thing" && n >= $n]', params: { n: 50 } })
      .set({ big: true })
      .commit()
    expect(await lake.client.fetch('*[big == true]._id')).toEqual(['e'])
  })
  test('ifRevisionID guards', async () => {
    const { _rev } = await doc()
    await lake.client
      .patch('d')
      .ifRevisionId(_rev as unknown as string)
      .set({ n: 1 })
      .commit()
    const { status, body } = await failure(
      lake.client
        .patch('d')
        .ifRevisionId(_rev as unknown as string)
        .set({ n: 2 })
        .commit(),
    )
    expect(status).toBe(409)
    expect(body.error.items).toMatchObject([
      { error: { type: 'documentRevisionIDDoesNotMatchError', id: 'd', expectedRevisionID: _rev } },
    ])
    expect((await doc()).n).toBe(1)
  })
  test('what cannot be patched is refused with a reason', async () => {
    expect((await failure(lake.client.patch('missing').set({ a: 1 }).commit())).body.error).toMatchObject({
      items: [{ error: { type: 'documentNotFoundError', id: 'missing' } }],
    })
    expect((await failure(lake.client.patch('d').set({ _id: 'other' }).commit())).status).toBe(400)
    expect((await failure(lake.client.patch('d').unset(['_type']).commit())).status).toBe(400)
    expect((await failure(lake.client.patch('d').set({ '..': 1 }).commit())).status).toBe(400)
  })
})

describe('references', () => {
  const to = (id: string, weak = false) => ({ _type: 'reference', _ref: id, ...(weak ? { _weak: true } : {}) })
  test('a strong one needs its target, a weak one does not; order within a transaction is free', async () => {
    const { status, body } = await failure(lake.client.create({ _id: 'r1', _type: 'r', to: to('ghost') }))
    expect([status, (body.error.items as { error: { type: string } }[])[0]?.error.type]).toEqual([
      409,
      'documentReferencesNonExistentDocumentError',
    ])
    await lake.client.create({ _id: 'r1', _type: 'r', to: to('ghost', true) })
    await lake.client
      .transaction()
      .create({ _id: 'r2', _type: 'r', to: to('r3') })
      .create({ _id: 'r3', _type: 'r', back: to('r2') })
      .commit()
  })
  test('what others need cannot be deleted', async () => {
    await lake.client
      .transaction()
      .createOrReplace({ _id: 's1', _type: 's' })
      .createOrReplace({ _id: 's2', _type: 's', to: to('s1') })
      .commit()
    const { status, body } = await failure(lake.client.delete('s1'))
    expect(status).toBe(409)
    expect(body.error.items).toMatchObject([
      { error: { type: 'documentHasExistingReferencesError', referencingIDs: ['s2'] } },
    ])
    const pointing = async (query: string) => {
      const address = `${lake.lake.url}/v2022-03-07/data/references/production/documents/s1/to${query}`
      return (await fetch(address, { headers: { authorization: 'Bearer token-of-the-tests' } })).json()
    }
    expect(await pointing('')).toEqual({ references: [{ documentId: 's2' }], totalCount: 1 })
    expect(await pointing('?excludeInternalReferences=true')).toEqual({ references: [], totalCount: 0 })
    await lake.client.transaction().delete('s1').delete('s2').commit()
    expect(await lake.client.fetch('*[_type == "s"]')).toEqual([])
  })
})

describe('bad input', () => {
  test.each([
    ['no JSON', '{', 400],
    ['no mutations', {}, 400],
    ['an unknown kind', { mutations: [{ explode: {} }] }, 400],
    ['no type', { mutations: [{ create: { _id: 'x' } }] }, 400],
    ['an id with a slash', { mutations: [{ create: { _id: 'a/b', _type: 't' } }] }, 400],
    ['an id too long', { mutations: [{ create: { _id: 'a'.repeat(129), _type: 't' } }] }, 400],
    ['a strange transaction id', { mutations: [], transactionId: '../x' }, 400],
    ['more than 5 MB', JSON.stringify({ mutations: [{ create: { _type: 't', a: 'x'.repeat(5_300_000) } }] }), 413],
  ])('%s', async (_title, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect((await answer.json()) as object).toMatchObject({
      error: { type: expect.any(String), description: expect.any(String) },
    })
  })
  test('a key called __proto__ stays data and harms nothing', async () => {
    await post('{"mutations":[{"createOrReplace":{"_id":"p","_type":"t","__proto__":{"polluted":true}}}]}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
