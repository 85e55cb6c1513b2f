/*
 * Fragments of the table `retention`, for statements of `chat`.
 */

/** The rules that hold now, by the clock of Postgres: a node's own clock may be wrong. */
export const RULES_IN_FORCE = `select * from (
  select (rules ->> 'guest')::int as guest, (rules ->> 'free')::int as free, (rules ->> 'premium')::int as premium,
    (rules ->> 'exemptPinned')::boolean as exempt_pinned
  from (
    select case when effective_at > now() then before else jsonb_build_object('guest', guest, 'free', free,
      'premium', premium, 'exemptPinned', exempt_pinned) end as rules
    from retention
  ) stored
) in_force`;
