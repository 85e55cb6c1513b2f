-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.
-- They are volatile: each reads the rows that were committed until its call, where the statement around it reads those from
-- before it waited for its locks.

-- The running answers of an owner.
CREATE OR REPLACE FUNCTION running_generations(of_owner text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  return (select count(*)::int from generation where owner = of_owner and status = 'streaming');
end $function$;

-- The messages of a key that are not charged yet.
CREATE OR REPLACE FUNCTION running_key_messages(of_owner text, of_key integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  return (select coalesce(sum(cost), 0)::int from generation
    where owner = of_owner and status in ('streaming', 'waiting') and api_key_id = of_key);
end $function$;

-- Called at the end of a generation (`storeEnd`), as is `end_tool_calls`.
CREATE OR REPLACE FUNCTION delete_generation_chunks(of_generation uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from generation_chunk where generation_id = of_generation;
end $function$;

-- Calls of a run that ends are interrupted; those that waited for an approval when it was waiting are denied.
CREATE OR REPLACE FUNCTION end_tool_calls(of_generation uuid, has_waited boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update tool_call set finished_at = now(),
    state = case when has_waited and state = 'waiting' then 'denied' else 'interrupted' end,
    decision = case when has_waited and state = 'waiting' then false else decision end
  where generation_id = of_generation and state in ('running', 'waiting');
end $function$;
