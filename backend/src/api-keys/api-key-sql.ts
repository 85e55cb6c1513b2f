/*
 * SQL fragments of the table `api_key`, for the statements that admit and end a generation. A value is a placeholder such
 * as `$4` or a column reference.
 */

/**
 * Query that locks a key's row and selects the row of the CTE `after` while the key's messages, running ones included,
 * stay within its cap. A call without a key has no such bound.
 * @param values.ended expression that refuses a key that does not exist
 * @param values.spent expression that refuses a key whose cap is reached
 */
export const keyRoom = (values: {
  owner: string;
  keyId: string;
  cost: string;
  after: string;
  ended: string;
  spent: string;
}): string => {
  const { owner, keyId, cost, after, ended, spent } = values;
  return `select ${after}.* from ${after} left join lateral (
    select id, message_cap, messages_charged from api_key
    where id = ${keyId}::int and ${after}.period is not null for update
  ) k on true
  where case when ${keyId}::int is null then true
    when k.id is null then ${ended}
    when k.message_cap is null then true
    when k.messages_charged + running_key_messages(${owner}, ${keyId}::int) + ${cost}::int <= k.message_cap then true
    else ${spent} end`;
};

/** Statement that adds the cost of a charged generation to its key; a null key changes no row. */
export const chargeKey = (values: { keyId: string; cost: string; from: string; charged: string }): string =>
  `update api_key k set messages_charged = k.messages_charged + ${values.cost}
  from ${values.from} where k.id = ${values.keyId} and ${values.charged}`;
