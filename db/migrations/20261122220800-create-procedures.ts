/**
 * The five procedures of tracking (D-08). An unknown id writes nothing and returns null: it never fails a visitor
 * (T-04).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create function log_session_activity(
      p_session_id uuid, p_type text, p_data jsonb default null, p_page_url text default null,
      p_page_title text default null, p_duration integer default null
    ) returns bigint language sql as $$
      insert into activities (session_key, type, data, page_url, page_title, duration)
      select s.key, p_type, p_data, p_page_url, p_page_title, case when p_duration >= 0 then p_duration end
      from sessions s where s.id = p_session_id
      returning id
    $$;

    create function log_page_view(
      p_session_id uuid, p_url text, p_title text default null, p_step text default null, p_referrer text default null
    ) returns bigint language sql as $$
      insert into page_views (session_key, url, title, step, referrer)
      select s.key, p_url, p_title, p_step, p_referrer from sessions s where s.id = p_session_id
      returning id
    $$;

    -- Returns whether the page view exists. A repeated end keeps the larger numbers: beacons may arrive twice or late.
    create function end_page_view(
      p_id bigint, p_seconds integer, p_scroll_depth integer default 0, p_interactions integer default 0
    ) returns boolean language sql as $$
      with ended as (
        update page_views set
          seconds = greatest(seconds, p_seconds, 0),
          scroll_depth = greatest(scroll_depth, least(greatest(p_scroll_depth, 0), 100)::smallint),
          interactions = greatest(interactions, p_interactions, 0)
        where id = p_id
        returning 1
      )
      select exists (select 1 from ended)
    $$;

    create function log_session_error(
      p_session_id uuid, p_type text, p_message text, p_stack text default null, p_url text default null,
      p_user_agent text default null
    ) returns uuid language sql as $$
      insert into session_errors (session_key, type, message, stack, url, user_agent)
      select s.key, p_type, p_message, p_stack, p_url, p_user_agent from sessions s where s.id = p_session_id
      returning id
    $$;

    -- Keys are the columns of session_metadata (D-07). A key that is absent or null leaves what is known.
    create function update_session_metadata(p_session_id uuid, p_metadata jsonb) returns boolean language sql as $$
      with written as (
        insert into session_metadata as m
          (session_id, user_agent, referer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, utm, fbclid,
           first_touch, last_touch, device_type, browser, os, screen_resolution, timezone, language, country, city,
           fbc, fbp)
        select s.id, n.user_agent, n.referer, n.utm_source, n.utm_medium, n.utm_campaign, n.utm_content, n.utm_term,
          n.utm,
          n.fbclid, n.first_touch, n.last_touch, n.device_type, n.browser, n.os, n.screen_resolution, n.timezone,
          n.language, n.country, n.city, n.fbc, n.fbp
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
          city = coalesce(excluded.city, m.city),
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
