-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.

-- A price as a number; null for one that is unknown or no decimal.
CREATE OR REPLACE FUNCTION price_of(price text)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when price ~ '^\d{1,8}(\.\d{1,12})?$' then price::numeric(20,12) end
$function$;

-- Adds the prices of a new or changed model to their history. `notePriceSource` of `model-prices.ts` says who set them.
CREATE OR REPLACE FUNCTION record_model_price()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into model_price (model_id, prompt, completion, cached_prompt, request, image, search) values (new.model_id,
    price_of(new.pricing ->> 'prompt'), price_of(new.pricing ->> 'completion'), price_of(new.pricing ->> 'cachedPrompt'),
    price_of(new.pricing ->> 'request'), price_of(new.pricing ->> 'image'), price_of(new.pricing ->> 'search'));
  return null;
end $function$;

CREATE TRIGGER model_price_inserted AFTER INSERT ON model
  FOR EACH ROW
  EXECUTE FUNCTION record_model_price();

CREATE TRIGGER model_price_changed AFTER UPDATE OF pricing ON model
  FOR EACH ROW WHEN (new.pricing IS DISTINCT FROM old.pricing)
  EXECUTE FUNCTION record_model_price();
