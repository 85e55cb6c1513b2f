import { joinGroups } from '../access/group-sql.js';

/**
 * SQL of the table `user` for statements of other rooms. A settlement charges an account and counts its messages in one
 * statement, so that both commit together without another round trip.
 */

/** The own values of the account `u` come before those of its groups, see `joinGroups`. */
const QUOTA_OVERRIDE = 'coalesce(u.quota_override, of_groups.quota)';
const BUDGET_USD = 'coalesce(u.budget_usd, of_groups.budget)';

const TERM_COLUMNS = `of_groups.ids as "groupIds", ${QUOTA_OVERRIDE} as "quotaOverride",
  ${BUDGET_USD} as "budgetUsd", u.budget_period as "budgetPeriod"`;

/** Columns of the account `u`, which may be absent, that decide what it may use and spend. They need `joinGroups('u.id')`. */
export const PLAN_COLUMNS = `coalesce(u.is_admin, false) as "isAdmin", coalesce(u.is_premium, false) as "isPremium",
  ${TERM_COLUMNS}`;

/** Statement that adds `amount` to an account's message count. `userId` may select nothing: then no row changes. */
export const addToMessageCount = (userId: string, amount: string): string =>
  `update "user" set message_count = message_count + ${amount} where id = ${userId}`;

/** Expression of type boolean: whether the account is premium; false without an account. */
export const isPremium = (userId: string): string =>
  `coalesce((select is_premium from "user" where id = ${userId}), false)`;

/** Query of the next account after `:after` with an address. @param condition of the account `u` */
export const nextMailed = (condition: string): string =>
  `select u.id, u.email, u.is_premium from "user" u
  where u.id > :after::int and u.email is not null and ${condition} order by u.id limit 1`;

/** Expression of type integer: the quota of the account, else of its groups, that replaces the plan's; null without one. */
export const quotaOverride = (userId: string): string =>
  `(select ${QUOTA_OVERRIDE} from "user" u ${joinGroups('u.id')} where u.id = ${userId})`;

/** Whether the stored time of the last call is older than its accuracy. */
const IS_SEEN_STALE = `coalesce(u.last_seen_at < now() - interval '5 minutes', true)`;

/** Columns that identify the account `u`, and its terms. They need `joinGroups('u.id')`. */
export const ACCOUNT_COLUMNS = `u.id, u.is_premium as "isPremium", u.is_admin as "isAdmin", u.has_totp as "hasTotp",
  u.is_approved as "isApproved", u.is_suspended as "isSuspended",
  u.must_change_password as "mustChangePassword", ${TERM_COLUMNS},
  ${IS_SEEN_STALE} as "isSeenStale"`;

/** Join of the account that another table's row belongs to, with its groups, for `ACCOUNT_COLUMNS`. */
export const joinAccount = (userId: string): string => `join "user" u on u.id = ${userId} ${joinGroups('u.id')}`;

/** The same for a row that may have no account, for `PLAN_COLUMNS`. */
export const joinPossibleAccount = (userId: string): string =>
  `left join "user" u on u.id = ${userId} ${joinGroups('u.id')}`;

/** Query of the ids of accounts whose username has the part `:usernameKey`. */
export const NAMED_USERS = `select id from "user" where strpos(username_key, :usernameKey) > 0`;

/** Join of an account as other people see it, for `PERSON`. */
export const joinPerson = (userId: string): string => `join "user" u on u.id = ${userId}`;

/** Expression of type json: id and names of the account `u`. */
export const PERSON = `json_build_object('id', u.id, 'username', u.username, 'fullName', u.full_name)`;

/** Expression of type boolean: whether the account exists. It locks the account's row, so that a deletion waits for the statement. */
export const accountExists = (userId: string): string =>
  `exists (select from "user" where id = ${userId} for key share)`;

/** Expression of type boolean: whether the account exists, is approved and is not suspended. */
export const isUsableAccount = (userId: string): string =>
  `exists (select 1 from "user" where id = ${userId} and is_approved and not is_suspended)`;
