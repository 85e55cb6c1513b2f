import { queryOptions } from '@tanstack/react-query';
import type { PublicSettings } from '@tanya/contract';
import { api } from '../api/api-client';

declare global {
  interface Window {
    /** What public/first-paint.js has read; null where it could not. */
    firstSettings?: Promise<PublicSettings | null>;
  }
}

/** What everybody may know of the general settings: title, texts, quotas, links. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await takeFirst()) ?? api.get<PublicSettings>('/api/general-settings', signal),
});

/** The answer that was there before the app; only once, what is asked later wants to know what has changed. */
function takeFirst(): Promise<PublicSettings | null> | undefined {
  const first = window.firstSettings;
  delete window.firstSettings;
  return first;
}
