-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.

-- Queues a settled usage record for the rollup (`usage/rollup-sql.ts`).
CREATE OR REPLACE FUNCTION queue_usage_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_unrolled (record_id) values (new.id) on conflict do nothing;
  return null;
end $function$;

CREATE TRIGGER usage_record_settled AFTER UPDATE OF state ON usage_record
  FOR EACH ROW WHEN (old.state = 'held'::text AND new.state <> 'held'::text)
  EXECUTE FUNCTION queue_usage_record();

CREATE TRIGGER usage_record_inserted AFTER INSERT ON usage_record
  FOR EACH ROW WHEN (new.state <> 'held'::text AND (COALESCE(new.reason, ''::text) <> ALL (ARRAY['carried'::text, 'reset'::text])))
  EXECUTE FUNCTION queue_usage_record();

-- Usage records outlive their account without a trace of it. The foreign key sets `user_id` to null when an account is
-- deleted, and so does `usage-unlinking.ts` before that.
CREATE OR REPLACE FUNCTION anonymize_usage_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.owner := 'anonymous';
  new.generation_id := null;
  new.api_key_id := null;
  if new.state = 'held' then
    new.state := 'released';
    new.reason := 'interrupted';
    new.cost_source := 'unknown';
    new.settled_at := now();
    insert into usage_unrolled (record_id) values (new.id) on conflict do nothing;
  end if;
  return new;
end $function$;

CREATE TRIGGER usage_record_anonymized BEFORE UPDATE OF user_id ON usage_record
  FOR EACH ROW WHEN (old.user_id IS NOT NULL AND new.user_id IS NULL)
  EXECUTE FUNCTION anonymize_usage_record();

-- Moves the daily sums of an owner to those of `anonymous`. The caller has locked the rollup.
CREATE OR REPLACE FUNCTION anonymize_usage_rollup(of_owner text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with removed as (delete from usage_rollup where owner = of_owner and owner <> '' returning *)
  insert into usage_rollup as r (grain, day, owner, model_id, plan, channel, generations, messages, failures, unpriced, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost_usd)
  select grain, day, 'anonymous', model_id, plan, channel, sum(generations)::bigint, sum(messages)::bigint, sum(failures)::bigint, sum(unpriced)::bigint, sum(prompt_tokens)::bigint, sum(completion_tokens)::bigint, sum(cached_tokens)::bigint, sum(reasoning_tokens)::bigint, sum(cost_usd) from removed
  group by grain, day, model_id, plan, channel
  on conflict (grain, day, owner, model_id, plan, channel, api_key_id, bucket) do update set generations = r.generations + excluded.generations, messages = r.messages + excluded.messages, failures = r.failures + excluded.failures, unpriced = r.unpriced + excluded.unpriced, prompt_tokens = r.prompt_tokens + excluded.prompt_tokens, completion_tokens = r.completion_tokens + excluded.completion_tokens, cached_tokens = r.cached_tokens + excluded.cached_tokens, reasoning_tokens = r.reasoning_tokens + excluded.reasoning_tokens, cost_usd = r.cost_usd + excluded.cost_usd;
end $function$;

-- The sums of a deleted account: those of its keys, and of each owner whose records it has, such as the guest it was.
CREATE OR REPLACE FUNCTION anonymize_usage_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  lock table usage_rollup in share row exclusive mode;
  delete from usage_rollup where grain = 'key' and api_key_id in (
    select api_key_id::text from usage_record where user_id = old.id and api_key_id is not null);
  perform anonymize_usage_rollup(owner) from (select distinct owner from usage_record where user_id = old.id) owners;
  return old;
end $function$;

CREATE TRIGGER user_usage_anonymized BEFORE DELETE ON "user"
  FOR EACH ROW
  EXECUTE FUNCTION anonymize_usage_of_user();
