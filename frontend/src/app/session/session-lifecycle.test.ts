import { jest } from '@jest/globals';
import { serve } from '../api/fake-server';
import { queryClient } from '../queries/query-client';
import { slideIn, useSidebar } from '../state/sidebar';

jest.unstable_mockModule('../socket/socket', () => ({ reconnectSocket: () => undefined }));
const { endSession } = await import('./session-lifecycle');

test('a logout closes the drawer', async () => {
  serve({ '/api/session': { user: null } });
  slideIn();
  await endSession();
  expect(useSidebar.getState().slidIn).toBe(false);
});

test('a logout removes every read that is not known to be public', async () => {
  serve({ '/api/session': { user: null }, '/api/general-settings': {} });
  const kept = [['default-model'], ['idea-texts', 'en'], ['shared', 'token']];
  const removed = [['models'], ['threads', 'list'], ['admin', 'settings'], ['preferences', 7], ['a later read']];
  for (const queryKey of [...kept, ...removed]) queryClient.setQueryData(queryKey, 'of the account');
  await endSession();
  for (const queryKey of kept) expect(queryClient.getQueryData(queryKey)).toBe('of the account');
  for (const queryKey of removed) expect(queryClient.getQueryData(queryKey)).toBeUndefined();
});
