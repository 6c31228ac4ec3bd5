/**
 * A visit that was erased stays in the funnel where it was counted last: of its source and its steps nothing is left to
 * tell where that is. What a buyer gets back is taken off all the same (D-09, D-12).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create or replace function refresh_funnel() returns void language plpgsql as $$
    declare
      since timestamptz;
      started timestamptz := clock_timestamp();
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_funnel'));
      -- what was written earlier and committed later
      select at - interval '20 seconds' into since from bookmarks where name = 'funnel';
      since := coalesce(since, '-infinity');
      with changed as materialized (
        select s.key from sessions s where s.updated_at > since
        union
        select p.session_key from session_progress p where p.updated_at > since
        union
        select s.key from payments p join sessions s on s.id = p.session_id where p.updated_at > since
        union
        select s.key from users u join sessions s on s.id = u.session_id where u.updated_at > since
      ), now_at as materialized (
        select s.key as session_key, (s.created_at at time zone 'UTC')::date as day,
          coalesce(kept.source, nullif(left(lower(m.utm_source), 60), ''), nullif(left(lower(m.utm), 60), ''),
            case when m.fbclid is not null then 'facebook' end, 'direct') as source,
          coalesce(kept.price_cents, s.selected_price_cents, 0) as price_cents,
          coalesce(kept.stage, case
            when s.payment_status <> 'unpaid' and exists (select from users u
              where u.session_id = s.id and u.auth_user_id is not null) then 'account'
            when s.payment_status <> 'unpaid' and s.upsell_finished_at is not null then 'add-ons'
            when s.payment_status <> 'unpaid' then 'paid'
            when s.checkout_opened_at is not null then 'checkout'
            when p.furthest > 0 then 'quiz'
            when p.furthest = 0 then 'welcome'
            else 'visit'
          end::funnel_stage) as stage,
          coalesce(kept.step, p.furthest, 0) as step,
          coalesce((select sum(y.amount_cents - y.refunded_cents) from payments y where y.session_id = s.id
            and y.settled_at is not null and not y.is_duplicate), 0) as revenue_cents
        from changed c join sessions s on s.key = c.key
        left join session_metadata m on m.session_id = s.id
        left join session_progress p on p.session_key = s.key
        left join lateral (select true as erased from erasures e where e.session_id = s.id limit 1) gone on true
        left join funnel_places kept on gone.erased and kept.session_key = s.key
        where not s.is_bot and (gone.erased is null or kept.session_key is not null)
      ), before as materialized (
        select f.* from changed c join funnel_places f on f.session_key = c.key
      ), placed as (
        insert into funnel_places as f (session_key, day, source, price_cents, stage, step, revenue_cents)
        select session_key, day, source, price_cents, stage, step, revenue_cents from now_at
        on conflict (session_key) do update set source = excluded.source, price_cents = excluded.price_cents,
          stage = excluded.stage, step = excluded.step, revenue_cents = excluded.revenue_cents
        where (f.source, f.price_cents, f.stage, f.step, f.revenue_cents) is distinct from
          (excluded.source, excluded.price_cents, excluded.stage, excluded.step, excluded.revenue_cents)
      ), found_out as (
        delete from funnel_places f using before b where f.session_key = b.session_key
          and not exists (select from now_at n where n.session_key = b.session_key)
      )
      insert into funnel_counts as c (day, source, price_cents, stage, step, sessions, revenue_cents)
      select day, source, price_cents, stage, step, sum(visits), sum(revenue_cents) from (
        select day, source, price_cents, stage, step, 1 as visits, revenue_cents from now_at
        union all
        select day, source, price_cents, stage, step, -1, -revenue_cents from before
      ) moved
      group by 1, 2, 3, 4, 5 having sum(visits) <> 0 or sum(revenue_cents) <> 0
      on conflict (day, source, price_cents, stage, step) do update set sessions = c.sessions + excluded.sessions,
        revenue_cents = c.revenue_cents + excluded.revenue_cents;
      insert into bookmarks (name, at) values ('funnel', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);
    end $$;
  `,
    )
    .execute(db)
}
