import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { sari } from '../../app/session/fake-user';
import { currentUserQuery } from '../../app/queries/user.query';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { AdminOnly } from './guards';

const admin = { ...sari, isAdmin: true };

async function showAdminPage(): Promise<void> {
  queryClient.clear();
  serve({ '/api/session': { user: admin } });
  const root = createRootRoute();
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => <p>Home</p> });
  const page = createRoute({
    getParentRoute: () => root,
    path: '/admin',
    component: () => (
      <AdminOnly>
        <p>Manage</p>
      </AdminOnly>
    ),
  });
  const router = createRouter({
    routeTree: root.addChildren([home, page]),
    history: createMemoryHistory({ initialEntries: ['/admin'] }),
  });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await screen.findByText('Manage', undefined, { timeout: 5_000 });
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });

describe('AdminOnly', () => {
  it('redirects a user who is no longer an admin', async () => {
    await showAdminPage();
    serve({ '/api/session': { user: null } });
    await readAgain();
    await screen.findByText('Home');
    expect(screen.queryByText('Manage')).toBeNull();
  });

  it('keeps the page and its form when the session cannot be read again', async () => {
    await showAdminPage();
    serve({});
    await readAgain();
    await waitFor(() => expect(queryClient.getQueryState(currentUserQuery.queryKey)?.status).toBe('error'));
    expect(screen.getByText('Manage')).toBeDefined();
  });
});
