import { TEXTS, type User } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { FakePage } from '../../../components/layout/fake-page';
import DemoLine from './demo-line';

async function show(user: User | null): Promise<string> {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({ '/api/general-settings': { demo: true } });
  render(
    <FakePage>
      <DemoLine />
    </FakePage>,
  );
  return (await screen.findByRole('note')).textContent;
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
