import { jest } from '@jest/globals';
import { Link } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { sari } from '../../app/session/fake-user';
import { FakeRoute } from '../../components/layout/fake-route';
import MobileSidebar from './mobile-sidebar';

test('stays while the page shows another address by itself, as after the ack of a first message', async () => {
  queryClient.clear();
  serve({
    '/api/session': { user: sari },
    '/api/general-settings': { siteTitle: 'Harbour Help', links: {} },
    '/api/chat/threads': [],
  });
  const onClose = jest.fn();
  render(
    <FakeRoute>
      <Link to="/usage">Other page</Link>
      <MobileSidebar onClose={onClose} />
    </FakeRoute>,
  );
  const link = await screen.findByText('Other page');
  await screen.findByRole('button', { name: 'Search and commands' });
  fireEvent.click(link);
  await waitFor(() => expect(link.getAttribute('aria-current')).toBe('page'));
  expect(onClose).not.toHaveBeenCalled();
});
