/**
 * D-12: what is stored about a visit or an address is found by indexes. Without, each visit that was erased had all
 * accounts and mails read, and a month of Stripe's events, twice.
 */
import { type Kysely, sql } from 'kysely'

export const transaction = false

// whole: of a partial index the planner does not use what it knows about the values
const INDEXES = {
  webhook_events_customer: `webhook_events ((payload #>> '{data,object,customer}'))`,
  webhook_events_visit: `webhook_events ((payload #>> '{data,object,metadata,session_id}'))`,
  webhook_events_invoiced_visit: `webhook_events
    ((payload #>> '{data,object,parent,subscription_details,metadata,session_id}'))`,
  mail_log_recipient: 'mail_log (lower(recipient))',
  // a deleted job is taken out of its mails
  mail_log_outbox: 'mail_log (outbox_id)',
  email_codes_whose: 'email_codes (subject)',
  email_codes_address: 'email_codes (lower(email))',
  auth_user_visit: 'auth_user (quiz_session_id)',
  auth_user_address: 'auth_user (lower(email))',
  customers_address: 'customers (email)',
  payments_address: 'payments (lower(customer_email))',
  // of these, the live ones alone had an index
  product_access_grants_visit: 'product_access_grants (session_id)',
  money_back_requests_visit: 'money_back_requests (session_id)',
  money_back_requests_ended: 'money_back_requests (ended_subscription)',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create index concurrently ${name} on ${on}`).execute(db)
  }
}
