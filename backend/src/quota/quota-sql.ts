/*
 * SQL fragments of the table `quota_account`, for statements that touch several tables.
 */

/**
 * Locks accounts. Every transaction locks the account before the generation; the opposite order would deadlock with an
 * admission.
 * @param accounts a query that selects `owner` and `period`
 */
export const lockAccounts = (accounts: string): string =>
  `select a.owner, a.period from quota_account a join (${accounts}) wanted on wanted.owner = a.owner and wanted.period = a.period for update of a`;
