import { LIMITS } from '@tanya/contract';
import type { RateLimit } from '../../platform/rate-limits/rate-limits.js';

/** Searches per account, of the list and of the lines together; the page searches while the user types. Seconds. */
export const SEARCHES: RateLimit = { name: 'search', points: 120, window: 60 };

/** The words of a search as a query parameter has them; empty without any. */
export const searchWords = (query: unknown): string =>
  typeof query === 'string' ? query.trim().slice(0, LIMITS.searchQuery) : '';
