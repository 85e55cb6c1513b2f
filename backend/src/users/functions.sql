-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.

-- Text of an account as a search compares it: in lower case, without accents. The index `user_search` has the same expression.
CREATE OR REPLACE FUNCTION search_key(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select translate(regexp_replace(normalize(lower(words), NFKD), U&'[\0300-\036F]', '', 'g'), 'øłđħı', 'oldhi')
$function$;

-- Whether an account is suspended, with suspensions that were committed while the statement waited for a lock.
CREATE OR REPLACE FUNCTION account_suspended(of_user integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return coalesce((select is_suspended from "user" where id = of_user), false);
end $function$;
