import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STATUS, statusesWith } from '../../payments-service/stripe/subscription-status.ts'
import { type RunningService, startService } from './service.ts'

let service: RunningService
beforeAll(async () => void (service = await startService()))
afterAll(() => service.stop())

/** The names in single quotes in a definition as PostgreSQL prints it. */
const quoted = (definition: string): string[] => [...definition.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)

describe('what a status of a subscription means', () => {
  test('P-12 the table of statuses knows exactly those that a row may have', async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'subscriptions_status_check'
    `.execute(service.db)
    expect(quoted(rows[0]?.definition ?? '').sort()).toEqual(Object.keys(STATUS).sort())
  })

  test('P-14 the index that allows one live subscription leaves out exactly the statuses that are over', async () => {
    const { rows } = await sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where indexname = 'subscriptions_one_live'
    `.execute(service.db)
    expect(quoted(rows[0]?.definition ?? '').sort()).toEqual(statusesWith('over').sort())
  })

  test('P-12 what is over is not live, opens nothing, renews nothing and owes nothing', () => {
    for (const { over, live, access, renews, owed } of Object.values(STATUS)) {
      if (over) expect([live, access, renews, owed]).toEqual([false, false, false, false])
      if (renews) expect(access).toBe(true)
    }
  })
})
