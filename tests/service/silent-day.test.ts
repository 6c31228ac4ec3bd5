/** a session whose recording an editor took away is read; the days after it do not wait for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Membership, startMembership } from './membership.ts'

let world: Membership
beforeAll(async () => {
  world = await startMembership()
  // nothing has read the programme yet: the service remembers it for a minute
  for (const day of [1, 3]) {
    const id = await world.editor.fetch<string>('*[_type == "programmeSession" && day == $day][0]._id', { day })
    await world.editor.patch(id).unset(['audio']).commit()
  }
})
afterAll(() => world.stop())

test('A-05 A-07 a day without a recording is open and does not hold up the days after it', async () => {
  const { browser } = await world.member()
  const states = async () => {
    const { today, weeks } = (await browser.get('/api/programme')).body
    return [today, ...weeks[0].days.slice(0, 4).map(({ state }: { state: string }) => state)]
  }
  expect((await browser.get('/api/programme/days/1')).body).toMatchObject({ audioUrl: null, listened: false })
  expect(await states()).toEqual([2, 'open', 'today', 'locked', 'locked'])
  const { audioSeconds } = (await browser.get('/api/programme/days/2')).body as { audioSeconds: number }
  expect((await browser.get('/api/programme/days/3')).body.error.code).toBe('not_yet')
  const report = (seconds: number) => browser.post('/api/programme/days/2/listening', { seconds })
  await report(10)
  await world.db.updateTable('listened_sessions').set({ played_seconds: audioSeconds }).execute()
  expect((await report(10)).body).toMatchObject({ counted: true, listened: 1 })
  expect(await states()).toEqual([4, 'open', 'listened', 'open', 'today'])
  expect((await browser.get('/api/programme/days/4')).status).toBe(200)
})
