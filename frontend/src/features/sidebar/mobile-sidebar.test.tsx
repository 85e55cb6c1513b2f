import { jest } from '@jest/globals';
import { Link } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { sari } from '../../app/session/fake-user';
import { closeDialog, openDialog } from '../../app/state/dialogs';
import { FakeRoute } from '../../components/layout/fake-route';
import MobileSidebar from './mobile-sidebar';

async function navigate() {
  queryClient.clear();
  serve({
    '/api/session': { user: sari },
    '/api/general-settings': { siteTitle: 'Harbour Help', links: {} },
    '/api/chat/threads': [],
  });
  const onClose = jest.fn();
  render(
    <FakeRoute>
      <Link to="/usage">Link of a dialog</Link>
      <MobileSidebar onClose={onClose} />
    </FakeRoute>,
  );
  const link = await screen.findByText('Link of a dialog');
  await screen.findByLabelText('Search chats');
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(link);
  await waitFor(() => expect(link.getAttribute('aria-current')).toBe('page'));
  return onClose;
}

test('closes when a link of a dialog over it has closed the dialog and shows another page', async () => {
  const onClose = await navigate();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

test('stays under a dialog that stays open while the page shows another address', async () => {
  openDialog('account');
  const onClose = await navigate();
  act(closeDialog);
  expect(onClose).not.toHaveBeenCalled();
});
