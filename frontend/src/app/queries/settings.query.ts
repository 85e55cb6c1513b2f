import { queryOptions } from '@tanstack/react-query';
import type { PublicSettings } from '@tanya/contract';
import { api } from '../api/api-client';

declare global {
  interface Window {
    /** The read that public/first-paint.js started; null when it failed. */
    firstSettings?: Promise<PublicSettings | null>;
  }
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await takeFirstRead()) ?? api.get<PublicSettings>('/api/general-settings', signal),
});

/** The read that began before the app, returned once: a later read must get current values. */
function takeFirstRead(): Promise<PublicSettings | null> | undefined {
  const first = window.firstSettings;
  delete window.firstSettings;
  return first;
}
