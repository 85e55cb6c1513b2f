import { queryOptions } from '@tanstack/react-query';
import type { SharedConversation } from '@tanya/contract';
import { api, toApiError } from '../../../app/api/api-client';
import { hasCode } from '../../../app/api/api-error';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

declare global {
  interface Window {
    /** The read that public/first-paint.js started; null when it failed. */
    firstShared?: Promise<Response | null>;
  }
}

/** A shared conversation. It never changes, so it is read once; a revoked link is noticed at the next visit. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: [...QUERY_KEYS.sharedConversation, token],
    queryFn: async ({ signal }) =>
      (await takeFirstRead()) ?? api.get<SharedConversation>(`/api/share/${encodeURIComponent(token)}`, signal),
    staleTime: Infinity,
    retry: (count, error) => count < 2 && !hasCode(error, 'not_found') && !hasCode(error, 'rate_limited'),
    // The loader of the route has read it already; a refused read counts against the limit of unknown links.
    retryOnMount: false,
  });

/** The read that began before the app, returned once. */
async function takeFirstRead(): Promise<SharedConversation | null> {
  const response = await window.firstShared;
  delete window.firstShared;
  if (!response) return null;
  const text = await response.text();
  if (!response.ok) throw toApiError(response.status, response.statusText, text);
  return JSON.parse(text) as SharedConversation;
}
