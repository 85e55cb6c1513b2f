/*
 * SQL fragments of the table `api_key`, for the statements that admit and end a generation. `:names` are parameters of the
 * statement that uses the fragment. `running_key_messages` is in `chat/generation/store/functions.sql`.
 */

/**
 * Query that locks the row of the key `:apiKeyId` and selects the row of the CTE `admitted` while the key's messages, running
 * ones included, stay within its cap. A call without a key has no such bound.
 * @param values.ended expression that refuses a key that does not exist
 * @param values.spent expression that refuses a key whose cap is reached
 */
export const admitKey = ({ ended, spent }: Record<'ended' | 'spent', string>): string =>
  `select admitted.* from admitted left join lateral (
    select id, message_cap, messages_charged from api_key
    where id = :apiKeyId::int and admitted.period is not null for update
  ) k on true
  where case
    when :apiKeyId::int is null then true
    when k.id is null then ${ended}
    when k.message_cap is null then true
    when k.messages_charged + running_key_messages(:owner, :apiKeyId::int) + :cost::int <= k.message_cap then true
    else ${spent} end`;

/** Statement that adds the cost of a charged generation to its key; a null key changes no row. */
export const chargeKey = (values: { keyId: string; cost: string; from: string; charged: string }): string =>
  `update api_key k set messages_charged = k.messages_charged + ${values.cost}
  from ${values.from} where k.id = ${values.keyId} and ${values.charged}`;
