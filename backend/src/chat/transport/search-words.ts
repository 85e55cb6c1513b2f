import { LIMITS } from '@tanya/contract';

/** The words of a search as a query parameter has them; empty without any. */
export const searchWords = (query: unknown): string =>
  typeof query === 'string' ? query.trim().slice(0, LIMITS.searchQuery) : '';
