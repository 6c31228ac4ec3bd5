/**
 * D-07, P-15: until the payment the province follows the visitor as the country does: one from Ontario who goes on in
 * Québec was taxed as in Ontario, and one who came from abroad as in no province.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create or replace function update_session_metadata(p_session_id uuid, p_metadata jsonb)
    returns boolean language sql as $$
      with written as (
        insert into session_metadata as m
          (session_id, user_agent, referer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, utm, fbclid,
           first_touch, last_touch, device_type, browser, os, screen_resolution, timezone, language, country, city,
           region, fbc, fbp)
        select s.id, n.user_agent, n.referer, n.utm_source, n.utm_medium, n.utm_campaign, n.utm_content, n.utm_term,
          n.utm,
          n.fbclid, n.first_touch, n.last_touch, n.device_type, n.browser, n.os, n.screen_resolution, n.timezone,
          n.language, n.country, n.city,
          -- the release before holds back only country and city of a paid visit
          case when s.payment_status = 'unpaid' or not exists (
            select from session_metadata k where k.session_id = s.id and k.country is not null) then n.region end,
          n.fbc, n.fbp
        from sessions s, jsonb_populate_record(null::session_metadata, p_metadata) n
        where s.id = p_session_id
        on conflict (session_id) do update set
          user_agent = coalesce(excluded.user_agent, m.user_agent),
          referer = coalesce(excluded.referer, m.referer),
          utm_source = coalesce(excluded.utm_source, m.utm_source),
          utm_medium = coalesce(excluded.utm_medium, m.utm_medium),
          utm_campaign = coalesce(excluded.utm_campaign, m.utm_campaign),
          utm_content = coalesce(excluded.utm_content, m.utm_content),
          utm_term = coalesce(excluded.utm_term, m.utm_term),
          utm = coalesce(excluded.utm, m.utm),
          fbclid = coalesce(excluded.fbclid, m.fbclid),
          first_touch = coalesce(m.first_touch, excluded.first_touch),
          last_touch = coalesce(excluded.last_touch, m.last_touch),
          device_type = coalesce(excluded.device_type, m.device_type),
          browser = coalesce(excluded.browser, m.browser),
          os = coalesce(excluded.os, m.os),
          screen_resolution = coalesce(excluded.screen_resolution, m.screen_resolution),
          timezone = coalesce(excluded.timezone, m.timezone),
          language = coalesce(excluded.language, m.language),
          country = coalesce(excluded.country, m.country),
          -- these are parts of the country
          city = case when excluded.country <> m.country then excluded.city
            else coalesce(excluded.city, m.city) end,
          region = case when excluded.country <> m.country then excluded.region
            else coalesce(excluded.region, m.region) end,
          fbc = coalesce(excluded.fbc, m.fbc),
          fbp = coalesce(excluded.fbp, m.fbp)
        returning 1
      )
      select exists (select 1 from written)
    $$;
  `,
    )
    .execute(db)
}
