import { createMemoryHistory } from '@tanstack/react-router';
import type { ImportStatus, PublicSettings } from '@tanya/contract';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { useColorMode } from '../../../app/theme/color-mode';
import { FakeRouter } from '../../../components/layout/fake-router';
import { AccountPage } from './account-page';
import type { AccountTab } from './account-tabs';
import { FakePage } from '../../../components/layout/fake-page';

const preferences = { modelId: null, aboutMe: '', howToAnswer: '', useInstructions: true };

/** Shows a tab of the account of sari. */
function show(first: AccountTab, answers: Record<string, unknown> = {}) {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serve({ '/api/session': { user: sari }, '/api/user/preferences': preferences, ...answers });
  const history = createMemoryHistory({ initialEntries: ['/account'] });
  const pageOf = (tab: AccountTab) => (
    <FakePage>
      <FakeRouter history={history}>
        <AccountPage tab={tab} />
      </FakeRouter>
    </FakePage>
  );
  const { rerender } = render(pageOf(first));
  return {
    history,
    user: userEvent.setup({ delay: null }),
    turnTo: (tab: AccountTab) => act(async () => rerender(pageOf(tab))),
  };
}

const question = () => screen.findByRole('alertdialog', { name: 'Unsaved changes' });
const leave = (history: ReturnType<typeof show>['history']) => act(() => history.push('/'));

test('a tab that was left keeps what was typed', async () => {
  const { history, user, turnTo } = show('personal');
  await user.type(await screen.findByLabelText('About me'), 'A sailor');
  act(() => history.push('/account/security'));
  await waitFor(() => expect(history.location.pathname).toBe('/account/security'));
  await turnTo('security');
  expect(await screen.findByLabelText('Current password')).toBeDefined();
  await turnTo('personal');
  expect(screen.getByLabelText<HTMLTextAreaElement>('About me').value).toBe('A sailor');
});

test('asks before all browsers are logged out', async () => {
  const { user } = show('security');
  const requests = serve({ '/api/user/logout-everywhere': {}, '/api/session': { user: null } });
  await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Log out everywhere' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(requests).not.toContain('/api/user/logout-everywhere');
  await user.click(screen.getByRole('button', { name: 'Log out everywhere' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Log out everywhere' }));
  await waitFor(() => expect(requests).toContain('/api/user/logout-everywhere'));
});

test('leaving the page asks while a text is not saved, in a tab that is not shown too', async () => {
  const { history, user, turnTo } = show('personal');
  await user.type(await screen.findByLabelText('About me'), 'A sailor');
  await turnTo('general');
  leave(history);
  await question();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(history.location.pathname).toBe('/account');
  leave(history);
  await question();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(history.location.pathname).toBe('/'));
});

test('leaving asks nothing after a save', async () => {
  const saved = { ...sari, fullName: 'Sari Dewi' };
  const { history, user } = show('personal', { '/api/user': saved });
  const name = await screen.findByLabelText<HTMLInputElement>('Full Name');
  await user.clear(name);
  await user.type(name, 'Sari Dewi');
  const save = screen.getByRole('button', { name: 'Save profile' });
  await user.click(save);
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'));
  leave(history);
  await waitFor(() => expect(history.location.pathname).toBe('/'));
});

test('leaving asks until the recovery codes, which are shown once, are saved', async () => {
  const { history, user } = show('security', {
    '/api/session': { user: { ...sari, hasTotp: true } },
    '/api/user/totp/enroll': { secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ' },
    '/api/user/totp/confirm': { recoveryCodes: ['aaaa-bbbb-cccc-dddd'] },
  });
  await user.click(await screen.findByRole('button', { name: 'Set up two-factor login' }));
  await user.type(screen.getByLabelText('Your password'), 'secret-123{Enter}');
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}');
  await screen.findByText('aaaa-bbbb-cccc-dddd');
  leave(history);
  await question();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  await user.click(await screen.findByRole('button', { name: 'I have saved them' }));
  leave(history);
  await waitFor(() => expect(history.location.pathname).toBe('/'));
});

test('the theme of the page is chosen beside the language', async () => {
  const { user } = show('general');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Theme' }), 'Dark');
  expect(useColorMode.getState().preference).toBe('dark');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Theme' }), 'Device default');
  expect(useColorMode.getState().preference).toBe('system');
});

test('opening the page focuses no field, which would open the keyboard of a phone', async () => {
  show('personal');
  await screen.findByLabelText('About me');
  expect(document.activeElement).toBe(document.body);
});

test('says that shared links do not work while sharing is off', async () => {
  const { turnTo } = show('general', { '/api/user/shares': [], '/api/user/import': [] });
  act(() => void queryClient.setQueryData(settingsQuery.queryKey, { sharingEnabled: false } as PublicSettings));
  await turnTo('data');
  expect(await screen.findByText(/^Sharing is switched off\./)).toBeDefined();
  expect(screen.queryByText(/^Anyone with a link/)).toBeNull();
});

test('the focus moves to the list of imports after one was undone', async () => {
  const ended: ImportStatus = {
    id: 'one',
    state: 'done',
    source: 'chatgpt',
    total: 1,
    imported: 1,
    skipped: 0,
    failures: [],
    progress: 1,
    error: null,
    errorRemark: null,
    createdAt: '2026-11-20T05:00:00.000Z',
    endedAt: '2026-11-20T05:01:00.000Z',
  };
  const { user } = show('data', {
    '/api/user/import': [ended, { ...ended, id: 'two' }],
    '/api/user/import/one': undefined,
    '/api/user/shares': [],
  });
  const [undo] = await screen.findAllByRole('button', { name: 'Undo' });
  await user.click(undo!);
  await user.click(await screen.findByRole('button', { name: 'Delete chats' }));
  await waitFor(() => expect(undo!.isConnected).toBe(false));
  const list = screen.getByRole('list', { name: 'Import chats' });
  await waitFor(() => expect(document.activeElement).toBe(list.parentElement));
});

test('the security tab lists the browsers of the account and logs one out', async () => {
  const time = '2026-11-20T10:00:00.000Z';
  const session = { createdAt: time, lastSeenAt: time, address: '192.0.2.7' };
  const { user } = show('security', {
    '/api/user/sessions': [
      { ...session, id: 'own', isCurrent: true, device: 'Firefox · Windows' },
      { ...session, id: 'other', isCurrent: false, device: 'Safari · iOS' },
      { ...session, id: 'old', isCurrent: false, device: null, address: null },
    ],
    '/api/user/sessions/other': null,
  });
  const list = await screen.findByRole('list', { name: 'Sessions' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(3);
  expect(within(list).getByText('This browser')).toBeDefined();
  expect(within(list).queryByRole('button', { name: 'Log out Firefox · Windows' })).toBeNull();
  expect(within(list).getByText('Unknown browser')).toBeDefined();
  await user.click(within(list).getByRole('button', { name: 'Log out Safari · iOS' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  expect(within(list).queryByText('Safari · iOS')).toBeNull();
  // The row that takes its place.
  const next = within(list).getByRole('button', { name: 'Log out Unknown browser' });
  await waitFor(() => expect(document.activeElement).toBe(next));
});
