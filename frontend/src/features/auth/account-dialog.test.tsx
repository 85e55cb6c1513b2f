import { jest } from '@jest/globals';
import type { ImportStatus, PublicSettings } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { FakePage } from '../../components/layout/fake-page';
import AccountDialog from './account-dialog';

// A click outside of a dialog meets an element that takes no pointer events.
const SETUP = { delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never };

function serveTotp(): void {
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serve({
    '/api/session': { user: { ...sari, hasTotp: true } },
    '/api/user/totp/enroll': { secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ' },
    '/api/user/totp/confirm': { recoveryCodes: ['aaaa-bbbb-cccc-dddd'] },
  });
}

/** Opens the dialog and sends a code. */
async function confirmTotp() {
  const onClose = jest.fn();
  render(
    <FakePage>
      <AccountDialog onClose={onClose} />
    </FakePage>,
  );
  const user = userEvent.setup(SETUP);
  await user.click(await screen.findByRole('button', { name: 'Set up two-factor login' }));
  await user.type(screen.getByLabelText('Your password'), 'secret-123{Enter}');
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}');
  return { onClose, user };
}

test('stays open until the recovery codes are saved', async () => {
  serveTotp();
  const { onClose, user } = await confirmTotp();
  await screen.findByText('aaaa-bbbb-cccc-dddd');
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  // The page reads the account again before the codes are saved.
  await waitFor(() => expect(queryClient.getQueryData(currentUserQuery.queryKey)?.hasTotp).toBe(true));
  await user.click(screen.getByRole('button', { name: 'I have saved them' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test('stays open while two-factor login is turned on, so that the recovery codes are shown', async () => {
  serveTotp();
  const server = globalThis.fetch;
  let activate: () => void = () => undefined;
  const activated = new Promise<void>((resolve) => (activate = resolve));
  globalThis.fetch = async (address, init) => {
    if (address === '/api/user/totp/confirm') await activated;
    return server(address, init);
  };
  const { onClose, user } = await confirmTotp();
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(cancel.getAttribute('aria-disabled')).toBe('true'));
  await user.click(cancel);
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  activate();
  expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeDefined();
});

test('says that shared links do not work while sharing is off', async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  queryClient.setQueryData(settingsQuery.queryKey, { sharingEnabled: false } as PublicSettings);
  serve({});
  render(
    <FakePage>
      <AccountDialog onClose={() => undefined} />
    </FakePage>,
  );
  expect(await screen.findByText(/^Sharing is switched off\./)).toBeDefined();
  expect(screen.queryByText(/^Everyone who has a link/)).toBeNull();
  queryClient.removeQueries({ queryKey: settingsQuery.queryKey });
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
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serve({ '/api/user/import': [ended, { ...ended, id: 'two' }], '/api/user/import/one': undefined });
  render(
    <FakePage>
      <AccountDialog onClose={() => undefined} />
    </FakePage>,
  );
  const user = userEvent.setup(SETUP);
  const [undo] = await screen.findAllByRole('button', { name: 'Undo' });
  await user.click(undo!);
  await user.click(await screen.findByRole('button', { name: 'Delete chats' }));
  await waitFor(() => expect(undo!.isConnected).toBe(false));
  const list = screen.getByRole('list', { name: 'Import chats' });
  await waitFor(() => expect(document.activeElement).toBe(list.parentElement));
});

test('closes on a click outside after the profile was saved', async () => {
  const saved = { ...sari, fullName: 'Sari Dewi' };
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serve({ '/api/user': saved, '/api/session': { user: saved } });
  const onClose = jest.fn();
  render(
    <FakePage>
      <AccountDialog onClose={onClose} />
    </FakePage>,
  );
  const user = userEvent.setup(SETUP);
  const name = await screen.findByLabelText<HTMLInputElement>('Full Name');
  await user.clear(name);
  await user.type(name, 'Sari Dewi');
  await user.click(document.body);
  expect(onClose).not.toHaveBeenCalled();
  const save = screen.getByRole('button', { name: 'Save profile' });
  await user.click(save);
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'));
  await user.click(document.body);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});
