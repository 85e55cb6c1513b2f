import { type ProductLinks, TEXTS, type User } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { restoreDraft, useComposerStore } from '../../../app/state/composer-store';
import { readDraft, writeDraft } from '../../../app/storage/drafts';
import { FakePage } from '../../../components/layout/fake-page';
import { QuotaDisplay } from './quota-display';
import QuotaNotice from './quota-notice';

const quota = { used: 3, max: 3, remaining: 0, resetsAt: new Date(Date.now() + 3_600_000).toISOString() };

async function show(user: User | null, links: Partial<ProductLinks> = {}, showUpgrade = true, { resetsAt } = quota) {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({
    '/api/general-settings': {
      links,
      showUpgrade,
      freeUserMessageQuota: 100,
      quotaPeriod: 'daily',
      registrationMode: 'open',
    },
    '/api/user/quota': { ...quota, resetsAt },
  });
  render(
    <FakePage>
      <QuotaNotice conversation="7" />
      <QuotaDisplay />
    </FakePage>,
  );
  await screen.findByText(/Your quota is renewed on/);
}

/** Text and address of each button and link, in the order of the page. */
const actions = () =>
  [...screen.getByRole('status').querySelectorAll('a, button')].map((element) => [
    element.textContent,
    element.getAttribute('href'),
  ]);

test('offers a guest Register, Login and Upgrade', async () => {
  await show(null);
  expect(actions()).toEqual([
    [TEXTS.sidebar.register, null],
    [TEXTS.sidebar.login, null],
    [TEXTS.chat.upgrade, null],
  ]);
});

test('tells a guest what an account gives', async () => {
  await show(null);
  const text = await screen.findByText(/A free account has 100 messages a day and keeps your chats/);
  expect(text).toBeDefined();
});

test('links a guest to the pages of the settings', async () => {
  await show(null, { guestSignupUrl: 'https://join.example.org', upgradeUrl: 'https://vip.example.org' });
  expect(actions()).toEqual([
    [TEXTS.sidebar.register, 'https://join.example.org'],
    [TEXTS.sidebar.login, null],
    [TEXTS.chat.upgrade, 'https://vip.example.org'],
  ]);
});

test('offers a free member Upgrade', async () => {
  await show(sari);
  expect(actions()).toEqual([[TEXTS.chat.upgrade, null]]);
});

test('names no upgrade where the page offers none', async () => {
  await show(sari, {}, false);
  await waitFor(() => expect(actions()).toEqual([]));
  expect(screen.getByRole('status').textContent).toContain('contact the administrator');
  cleanup();
  await show(null, {}, false);
  await waitFor(() => expect(actions()).toHaveLength(2));
  expect(screen.getByRole('status').textContent).toContain('Register or log in to go on.');
});

test('sends a premium member to the administrator', async () => {
  await show({ ...sari, isPremium: true });
  expect(actions()).toEqual([]);
  expect(screen.getByRole('status').textContent).toContain('contact the administrator');
});

test('sends an admin to the settings', async () => {
  await show({ ...sari, isAdmin: true });
  expect(actions()).toEqual([[TEXTS.sidebar.generalSettings, '/admin/settings']]);
});

test('reads the quota again once its period is over', async () => {
  await show(sari, {}, true, { ...quota, resetsAt: '2026-11-23T00:00:00.000Z' });
  serve({ '/api/user/quota': { ...quota, used: 0, remaining: 3, resetsAt: null } });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await screen.findByText('0/3');
});

test('the quota has a noun, and a sentence as its tooltip', async () => {
  await show(null);
  const shown = screen.getByTestId('quota').parentElement;
  expect(shown?.textContent).toBe('3/3 messages');
  expect(shown?.title).toBe('You have used 3 of 3 messages.');
});

test('a text for the composer is stored in the draft of the conversation', async () => {
  writeDraft('user:1', '7', 'Begun before');
  await show(sari);
  act(() => restoreDraft('Not sent', []));
  expect(useComposerStore.getState().text).toBeNull();
  expect(readDraft('user:1', '7')).toBe('Not sent\n\nBegun before');
});
