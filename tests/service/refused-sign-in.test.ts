/** a sign-in that is refused says by its time neither which of the two was wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Membership, startMembership } from './membership.ts'
import { Browser } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

test('A-05 a refused sign-in takes a whole quarter of a second, for an address that is known or not', async () => {
  const email = 'timed@example.com'
  await world.member({ email })
  for (const address of [email, 'untimed@example.com']) {
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      const reply = await new Browser(world.url).post('/api/account/sign-in', {
        email: address,
        password: 'Wrong 12345',
      })
      times.push(performance.now() - began)
      expect(reply.status).toBe(401)
    }
    // at the next multiple: the work of either is inside the same quarter
    expect(Math.min(...times), address).toBeGreaterThan(245)
  }
})
