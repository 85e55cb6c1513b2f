import { jest } from '@jest/globals';
import { serve } from '../api/fake-server';
import { slideIn, useSidebar } from '../state/sidebar';

jest.unstable_mockModule('../socket/socket', () => ({ reconnectSocket: () => undefined }));
const { endSession } = await import('./session-lifecycle');

test('a logout closes the drawer', async () => {
  serve({ '/api/session': { user: null } });
  slideIn();
  await endSession();
  expect(useSidebar.getState().slidIn).toBe(false);
});
