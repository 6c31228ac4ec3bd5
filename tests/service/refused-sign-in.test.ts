/** A-05, N-02: the time a refused sign-in takes does not reveal whether the address or the password was wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { type Membership, startMembership } from './membership.ts'
import { Browser } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

/** Milliseconds of the quickest of five refusals. */
async function quickest(refused: () => Promise<{ status: number }>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    expect((await refused()).status).toBe(401)
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

// refusals are sent at the next multiple of 250 ms; the work takes less than one for either address
const QUARTER = 245

test('A-05 a refused sign-in takes a whole quarter of a second, for an address that is known or not', async () => {
  const known = 'timed@example.com'
  await world.member({ email: known })
  for (const email of [known, 'untimed@example.com']) {
    const body = { email, password: 'Wrong 12345' }
    const took = await quickest(() => new Browser(world.url).post('/api/account/sign-in', body))
    expect(took, email).toBeGreaterThan(QUARTER)
  }
})

test('N-02 an operator whose sign-in is refused waits as long, for an address that is known or not', async () => {
  const known = 'timed-operator@example.com'
  await createOperator(world.db, known, 'A Long Pass Phrase 1')
  for (const email of [known, 'nobody@example.com']) {
    const fields = { email, password: 'Wrong 1234567890' }
    const took = await quickest(() => new Browser(world.url).form('/operator/sign-in', fields))
    expect(took, email).toBeGreaterThan(QUARTER)
  }
})
