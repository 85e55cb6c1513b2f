import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { TEXTS, type User } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { createTheme } from '../../../app/theme/theme';
import { DemoLine } from './demo-line';

async function show(user: User | null): Promise<string> {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({ '/api/general-settings': { demo: true } });
  const router = createRouter({
    routeTree: createRootRoute({ component: DemoLine }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return (await screen.findByRole('note', undefined, { timeout: 30_000 })).textContent;
}

test.each([
  ['a guest', null],
  ['a member', sari],
])('does not name the settings to %s', async (_, user) => {
  const text = await show(user);
  expect(text).toContain('Demo mode');
  expect(text).not.toMatch(/Settings|_KEY/);
});

test('names the settings to an admin, with a link', async () => {
  await show({ ...sari, isAdmin: true });
  const link = screen.getByRole('link', { name: TEXTS.sidebar.generalSettings });
  expect(link.getAttribute('href')).toBe('/admin/settings');
});
