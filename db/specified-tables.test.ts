/** Compares the tables of the two texts (section 3 of each) with the migrated database. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Fields by their names in the texts; `a→b`: stored under another name, for example because amounts are in cents. */
const TABLES: Readonly<Record<string, string>> = {
  sessions: `id created_at email name selected_price→selected_price_cents pricing_data payment_status paid_at
    payment_method payment_method_id customer_id stripe_payment_method_id payment_intent_id stripe_subscription_id
    quiz_completed_at quiz_completion_time starseed_type starseed_name starseed_description conversion_status
    abandoned_at`,
  quiz_answers: 'session_id question_id answer created_at',
  session_metadata: `user_agent referer utm_source utm_medium utm_campaign utm_content utm_term fbclid device_type
    browser os screen_resolution timezone language country city`,
  users: 'id email session_id subscription_status created_at updated_at',
  payments: `session_id amount→amount_cents currency payment_method_id payment_method payment_intent_id
    stripe_customer_id customer_email customer_name status product_id price_id is_upsell is_trial subscription_id`,
  product_access_grants: `p_session_id→session_id p_customer_email→customer_email p_product_id→product_id
    p_granted_via→granted_via p_source_payment_id→source_payment_id`,
  auth_user: 'quiz_session_id created_from',
}

test.each(Object.keys(TABLES))('D-05 D-06 D-07 D-10 %s has every field of the texts', async (table) => {
  const found = await database.db.introspection.getTables()
  const columns = found.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  const specified = (TABLES[table] ?? '').split(/\s+/).map((field) => field.split('→').at(-1) ?? field)
  expect(specified.filter((field) => !columns.includes(field))).toEqual([])
})
