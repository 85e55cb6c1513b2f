import { createMemoryHistory, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { PublicSettings } from '@tanya/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../app/api/fake-server';
import { queryClient } from '../app/queries/query-client';
import { settingsQuery } from '../app/queries/settings.query';
import { currentUserQuery } from '../app/queries/user.query';
import { sari } from '../app/session/fake-user';
import { Route } from './__root';
import { FakePage } from '../components/layout/fake-page';

test('names the enrolment of a second factor in the document title', async () => {
  const settings = {
    siteTitle: 'Harbour Help',
    links: {},
    totpRequired: { admin: false, member: true },
  } as PublicSettings;
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serve({ '/api/general-settings': settings, '/api/session': { user: sari }, '/api/chat/threads': [] });
  const home = createRoute({ getParentRoute: () => Route, path: '/', component: () => null });
  const router = createRouter({ routeTree: Route.addChildren([home]), history: createMemoryHistory() });
  await router.load();
  // Also waits for the chunks of the enrolment.
  await act(async () => {
    render(
      <FakePage>
        <RouterProvider router={router as never} />
      </FakePage>,
    );
    await import('../features/auth/totp/enrollment-page');
    await new Promise((resolve) => setTimeout(resolve));
  });
  await screen.findByRole('heading', { name: 'Set up two-factor login' });
  await waitFor(() => expect(document.title).toBe('Two-factor login · Harbour Help'));
});
