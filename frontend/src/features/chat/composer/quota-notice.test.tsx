import { TEXTS, type User } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { FakePage } from '../../../components/layout/fake-page';
import { QuotaDisplay } from './quota-display';
import QuotaNotice from './quota-notice';

const quota = { used: 3, max: 3, remaining: 0, resetsAt: '2026-11-23T00:00:00.000Z' };

async function show(user: User | null, upgradeUrl: string | null = null) {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({ '/api/general-settings': { links: { upgradeUrl, guestSignupUrl: null } }, '/api/user/quota': quota });
  render(
    <FakePage>
      <QuotaNotice />
      <QuotaDisplay />
    </FakePage>,
  );
  await screen.findByText(/It is renewed on/, undefined, { timeout: 30_000 });
}

const actions = () => [...screen.queryAllByRole('link'), ...screen.queryAllByRole('button')].map((e) => e.textContent);

test('offers a guest Upgrade, Login and Register', async () => {
  await show(null);
  expect(actions()).toEqual([TEXTS.sidebar.register, TEXTS.sidebar.login, TEXTS.chat.upgrade]);
});

test('offers a guest Upgrade as a link to the registration page', async () => {
  await show(null, 'https://vip.example.org');
  expect(actions()).toEqual([TEXTS.chat.upgrade, TEXTS.sidebar.register, TEXTS.sidebar.login]);
});

test('offers a free member Upgrade', async () => {
  await show(sari);
  expect(actions()).toEqual([TEXTS.chat.upgrade]);
});

test('sends a premium member to the administrator', async () => {
  await show({ ...sari, isPremium: true });
  expect(actions()).toEqual([]);
  expect(screen.getByRole('status').textContent).toContain('contact the administrator');
});

test('sends an admin to the settings', async () => {
  await show({ ...sari, isAdmin: true });
  expect(actions()).toEqual([TEXTS.sidebar.generalSettings]);
});

test('the quota has a noun, and a sentence as its tooltip', async () => {
  await show(null);
  const shown = screen.getByTestId('quota').parentElement;
  expect(shown?.textContent).toBe('3/3 messages');
  expect(shown?.title).toBe('You have used 3 of 3 messages.');
});
