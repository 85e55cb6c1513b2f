-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.

-- Ends a statement with an error, so that none of its changes is stored: `refuse` and `refusalOf` of `statements.ts`.
CREATE OR REPLACE FUNCTION refuse(reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'TY001', message = reason;
end $function$;
