/**
 * SQL of the table `user` for statements of other rooms. A settlement charges an account and counts its messages in one
 * statement, so that both commit together without another round trip.
 */

/** Statement that adds `amount` to an account's message count. `userId` may select nothing: then no row changes. */
export const addToMessageCount = (userId: string, amount: string): string =>
  `update "user" set message_count = message_count + ${amount} where id = ${userId}`;

/** Expression of type boolean: whether the account is premium; false without an account. */
export const isPremium = (userId: string): string =>
  `coalesce((select is_premium from "user" where id = ${userId}), false)`;
