import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { onConversationBegun } from '../../app/state/conversation';
import { sari } from '../../app/session/fake-user';
import { FakePage } from '../../components/layout/fake-page';
import { AppFrame } from './app-frame';
import { useSidebar } from './sidebar-store';

async function show(): Promise<void> {
  queryClient.clear();
  useSidebar.setState({ hidden: false });
  serve({
    '/api/session': { user: sari },
    '/api/general-settings': { siteTitle: 'Harbour Help', links: {} },
    '/api/chat/threads': [],
  });
  render(
    <FakePage>
      <AppFrame>
        <textarea aria-label="Message" />
      </AppFrame>
    </FakePage>,
  );
  await screen.findByLabelText('Search chats', undefined, { timeout: 30_000 });
}

test('Ctrl+K shows the hidden sidebar and the keys that follow reach its search', async () => {
  await show();
  const user = userEvent.setup({ delay: null });
  act(() => useSidebar.setState({ hidden: true }));
  await waitFor(() => expect(screen.queryByLabelText('Search chats')).toBeNull());
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
  await user.click(message);
  await user.keyboard('{Control>}k{/Control}harbour');
  expect(screen.getByLabelText<HTMLInputElement>('Search chats').value).toBe('harbour');
  expect(message.value).toBe('');
});

test('New chat stays in reach while the sidebar is hidden', async () => {
  await show();
  act(() => useSidebar.setState({ hidden: true }));
  const newChat = await screen.findByRole('button', { name: 'New chat' });
  const begun: unknown[] = [];
  const stop = onConversationBegun(() => begun.push(true));
  await userEvent.setup().click(newChat);
  stop();
  expect(begun).toHaveLength(1);
});
