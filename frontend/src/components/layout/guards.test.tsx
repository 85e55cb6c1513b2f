import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { User } from '@tanya/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { serve } from '../../app/api/fake-server';
import { sari } from '../../app/session/fake-user';
import { currentUserQuery } from '../../app/queries/user.query';
import { queryClient } from '../../app/queries/query-client';
import AuthDialog from '../../features/auth/auth-dialog';
import { Toaster } from '../feedback/toaster';
import { AdminOnly } from './guards';
import { FakePage } from './fake-page';

const admin = { ...sari, isAdmin: true };

function Home() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <p>Home</p>
      {isOpen && <AuthDialog mode="login" onClose={() => setOpen(false)} />}
    </>
  );
}

async function showAdminPage(user: User | null = admin): Promise<void> {
  queryClient.clear();
  serve({ '/api/session': { user } });
  const root = createRootRoute();
  const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
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
    <FakePage>
      <RouterProvider router={router as never} />
      <Toaster />
    </FakePage>,
  );
  await screen.findByText(user?.isAdmin ? 'Manage' : 'Home');
}

async function logIn(account: User): Promise<void> {
  serve({ '/api/login': account, '/api/session': { user: account } });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Username or email'), 'sari');
  await user.type(screen.getByLabelText('Password'), 'secret-enough{Enter}');
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

  it('gives a guest the reason and returns to the page after a login', async () => {
    await showAdminPage(null);
    expect(await screen.findByText('Log in to open this page.')).toBeDefined();
    await logIn(admin);
    await screen.findByText('Manage');
  });

  it('stays on the home page after the login of a user who is no admin', async () => {
    await showAdminPage(null);
    await logIn(sari);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('Home')).toBeDefined();
  });

  it('keeps the page and its form when the session cannot be read again', async () => {
    await showAdminPage();
    serve({});
    await readAgain();
    await waitFor(() => expect(queryClient.getQueryState(currentUserQuery.queryKey)?.status).toBe('error'));
    // The page is notified in a later task.
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(screen.getByText('Manage')).toBeDefined();
  });
});
