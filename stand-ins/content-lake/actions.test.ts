/** Document actions with the states https://www.sanity.io/docs/http-reference/actions describes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, testLake, type TestLake } from './fixture.ts'

let lake: TestLake
beforeAll(async () => {
  lake = await testLake()
})
afterAll(() => lake.stop())
beforeEach(async () => {
  await lake.client.delete({ query: '*' })
  await lake.client.create({ _id: 'a', _type: 'page', title: 'Published' })
})
const act = (...actions: Record<string, unknown>[]) =>
  lake.client.action(
    actions.map((action) => ({
      ...action,
      actionType: `sanity.action.document.${String(action.actionType)}`,
    })) as never,
  )
const ids = () => lake.client.fetch<string[]>('*._id')
const get = (id: string) => lake.client.getDocument(id)
const edit = (set: Record<string, unknown>) =>
  act({ actionType: 'edit', draftId: 'drafts.a', publishedId: 'a', patch: { set } })

test('edit makes the draft from the published document, then changes it alone', async () => {
  await act({
    actionType: 'edit',
    draftId: 'drafts.a',
    publishedId: 'a',
    patch: { unset: ['_empty_action_guard_pseudo_field_'] },
  })
  expect(await get('drafts.a')).toMatchObject({ title: 'Published', _type: 'page' })
  await edit({ title: 'Draft' })
  expect([(await get('a'))?.title, (await get('drafts.a'))?.title]).toEqual(['Published', 'Draft'])
})
test('several edits in one request build on one another', async () => {
  const one = { actionType: 'edit', draftId: 'drafts.a', publishedId: 'a' }
  await act(
    { ...one, patch: { set: { title: 'One' } } },
    { ...one, patch: { diffMatchPatch: { title: '@@ -1,3 +1,3 @@\n-One\n+Two\n' } } },
  )
  expect((await get('drafts.a'))?.title).toBe('Two')
})
test('publish moves the draft, keeps the birthday, strengthens references; the id given is the revision', async () => {
  const before = await get('a')
  await lake.client.create({ _id: 'b', _type: 'page' })
  await edit({
    title: 'New',
    to: { _type: 'reference', _ref: 'b', _weak: true, _strengthenOnPublish: { type: 'page' } },
  })
  const draft = await get('drafts.a')
  await lake.client.action(
    {
      actionType: 'sanity.action.document.publish',
      draftId: 'drafts.a',
      publishedId: 'a',
      ifDraftRevisionId: draft?._rev as string,
      ifPublishedRevisionId: before?._rev as string,
    },
    { transactionId: 'publish-1' },
  )
  expect(await ids()).toEqual(['a', 'b'])
  const after = await get('a')
  expect(after).toMatchObject({
    title: 'New',
    _rev: 'publish-1',
    _createdAt: before?._createdAt,
    to: { _type: 'reference', _ref: 'b' },
  })
  expect(after?.to).not.toHaveProperty('_weak')
})
test('publish of nothing, or over what somebody else has published meanwhile, is 409 and changes nothing', async () => {
  expect((await failure(act({ actionType: 'publish', draftId: 'drafts.a', publishedId: 'a' }))).status).toBe(409)
  await edit({ title: 'Mine' })
  const stale = act({ actionType: 'publish', draftId: 'drafts.a', publishedId: 'a', ifPublishedRevisionId: 'old' })
  const { status, body } = await failure(stale)
  expect([status, body.error.type]).toEqual([409, 'actionError'])
  expect([(await get('a'))?.title, (await get('drafts.a'))?.title]).toEqual(['Published', 'Mine'])
})
test('unpublish, discard, delete, create, replaceDraft', async () => {
  await act({ actionType: 'unpublish', draftId: 'drafts.a', publishedId: 'a' })
  expect(await ids()).toEqual(['drafts.a'])
  await act({ actionType: 'discard', draftId: 'drafts.a' })
  expect(await ids()).toEqual([])
  await act({
    actionType: 'create',
    publishedId: 'n',
    attributes: { _id: 'drafts.n', _type: 'page' },
    ifExists: 'fail',
  })
  await act({
    actionType: 'replaceDraft',
    publishedId: 'n',
    attributes: { _id: 'drafts.n', _type: 'page', title: 'R' },
  })
  expect((await get('drafts.n'))?.title).toBe('R')
  await act({ actionType: 'publish', draftId: 'drafts.n', publishedId: 'n' })
  await act({ actionType: 'edit', draftId: 'drafts.n', publishedId: 'n', patch: { set: { title: 'S' } } })
  await act({ actionType: 'delete', publishedId: 'n', includeDrafts: ['drafts.n'] })
  expect(await ids()).toEqual([])
})
test('versions: create, replace, discard', async () => {
  await act({
    actionType: 'version.create',
    publishedId: 'a',
    document: { _id: 'versions.r1.a', _type: 'page', title: 'V' },
  })
  await act({ actionType: 'version.replace', document: { _id: 'versions.r1.a', _type: 'page', title: 'W' } })
  expect((await get('versions.r1.a'))?.title).toBe('W')
  await act({ actionType: 'version.discard', versionId: 'versions.r1.a' })
  expect(await ids()).toEqual(['a'])
})
test('all actions of a request or none; unknown ones, missing fields and dry runs', async () => {
  const good = { actionType: 'edit', draftId: 'drafts.a', publishedId: 'a', patch: { set: { title: 'X' } } }
  expect((await failure(act(good, { actionType: 'publish', draftId: 'drafts.zz', publishedId: 'zz' }))).status).toBe(
    409,
  )
  expect((await failure(act({ actionType: 'frobnicate' }))).status).toBe(400)
  expect((await failure(act({ actionType: 'edit', publishedId: 'a' }))).status).toBe(400)
  await lake.client.action({ ...good, actionType: 'sanity.action.document.edit' } as never, { dryRun: true })
  expect(await ids()).toEqual(['a'])
})
test('history events: created, published, edited again, discarded, deleted; page by page', async () => {
  await edit({ title: 'One' })
  await act({ actionType: 'publish', draftId: 'drafts.a', publishedId: 'a' })
  await edit({ title: 'Two' })
  await act({ actionType: 'discard', draftId: 'drafts.a' })
  const read = async (id: string, query = '') => {
    const address = `${lake.lake.url}/v2025-02-19/data/history/production/events/documents/${id}${query}`
    const answer = await fetch(address, { headers: { authorization: 'Bearer token-of-the-tests' } })
    return (await answer.json()) as {
      events: Record<string, { type: string; revisionId?: string }[]>
      nextCursor: string
    }
  }
  const types = ({ events }: Awaited<ReturnType<typeof read>>) => Object.values(events)[0]?.map((event) => event.type)
  const whole = types(await read('drafts.a'))?.slice(0, 5)
  expect(whole).toEqual([
    'deleteDocumentVersion',
    'createDocumentVersion',
    'publishDocumentVersion',
    'createDocumentVersion',
    'createLiveDocument',
  ])
  const first = await read('drafts.a', '?limit=2')
  expect(types(first)).toEqual(whole?.slice(0, 2))
  expect(types(await read('drafts.a', `?limit=2&nextCursor=${first.nextCursor}`))).toEqual(whole?.slice(2, 4))
  const published = await read('a', '?limit=2')
  expect(types(published)).toEqual(['publishDocumentVersion', 'createLiveDocument'])
  expect(published.events.a?.[0]?.revisionId).toBe((await get('a'))?._rev)
  await act({ actionType: 'delete', publishedId: 'a' })
  expect(types(await read('a', '?limit=1'))).toEqual(['deleteDocumentGroup'])
})
test('history: what was done to a document, and how it looked then', async () => {
  await edit({ title: 'One' })
  await edit({ title: 'Two' })
  const read = async (path: string) =>
    (
      await fetch(`${lake.lake.url}/v2026-11-01/data/history/production/${path}`, {
        headers: { authorization: 'Bearer token-of-the-tests' },
      })
    ).text()
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            id: string
            author: string
            documentIDs: string[]
            effects: Record<string, { apply: [number, { title: string }] }>
          },
      )
  const all = lines(
    await read('transactions/drafts.a,a?effectFormat=mendoza&excludeMutations=true&reverse=true&limit=2'),
  )
  expect(all.map((tx) => tx.effects['drafts.a']?.apply[1].title)).toEqual(['Two', 'One'])
  const { documents } = JSON.parse(await read(`documents/drafts.a?revision=${all[1]?.id}`)) as {
    documents: { title: string }[]
  }
  expect(documents).toMatchObject([{ title: 'One' }])
  await act({ actionType: 'discard', draftId: 'drafts.a' })
  expect(JSON.parse(await read('documents/drafts.a?lastRevision=true'))).toMatchObject({
    documents: [{ title: 'Two' }],
  })
})
test('history: a revision of what is published is read as a draft of it, for editors who go back to it', async () => {
  await edit({ title: 'One' })
  await act({ actionType: 'publish', draftId: 'drafts.a', publishedId: 'a' })
  const first = (await get('a'))?._rev
  await edit({ title: 'Two' })
  await act({ actionType: 'publish', draftId: 'drafts.a', publishedId: 'a' })
  const past = async (id: string, revision = first) => {
    const answer = await fetch(
      `${lake.lake.url}/v2026-11-01/data/history/production/documents/${id}?revision=${revision}`,
      { headers: { authorization: 'Bearer token-of-the-tests' } },
    )
    return ((await answer.json()) as { documents: object[] }).documents
  }
  expect(await past('drafts.a')).toMatchObject([{ _id: 'drafts.a', title: 'One' }])
  expect(await past('a')).toMatchObject([{ _id: 'a', title: 'One' }])
  expect(await past('drafts.a', 'unknown')).toEqual([])
  expect(await past('versions.r1.a')).toEqual([])
})
