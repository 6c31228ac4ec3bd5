/** The tax that is in a payment, and the facts that say where its buyer is (P-15). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const country = (name: string) => `add column ${name} text check (${name} ~ '^[A-Z]{2}$')`
  const { rows } = await sql<{ kind: string }>`
    select case when current_setting('server_version_num')::int < 180000 then 'stored' else 'virtual' end
      as kind`.execute(db)
  await sql
    .raw(
      `
    alter table payments
      -- what evidences the place: the bank or PayPal, the billing address, the network the buyer came from
      ${country('card_country')},
      ${country('address_country')},
      ${country('network_country')},
      -- where it is taxed, which follows from these
      ${country('tax_country')},
      -- rate: by the table; unregistered: nothing is declared there; no_rate: the table has none; no_place: nothing
      -- says where the buyer is; not_asked: from before tax was taken out
      add column tax_basis text not null default 'not_asked'
        check (tax_basis in ('rate', 'unregistered', 'no_rate', 'no_place', 'not_asked')),
      -- in hundredths of a percent of the net
      add column tax_rate integer not null default 0 check (tax_rate between 0 and 5000),
      add column tax_cents integer not null default 0,
      -- virtual: a stored one would write every payment anew while nobody can pay; an older server knows no other, and
      -- its database began with it, without a payment
      add column net_cents integer not null generated always as (amount_cents - tax_cents) ${rows[0]?.kind},
      add constraint payments_net_and_tax
        check (tax_cents >= 0 and net_cents >= 0 and net_cents + tax_cents = amount_cents),
      -- the nearest cent
      add constraint payments_tax_by_rate check (
        abs(tax_cents::bigint * (10000 + tax_rate) - amount_cents::bigint * tax_rate) * 2 <= 10000 + tax_rate),
      add constraint payments_tax_basis check (tax_basis = 'rate' or tax_rate = 0),
      add constraint payments_tax_place check (tax_basis <> 'rate' or tax_country is not null);
  `,
    )
    .execute(db)
}
