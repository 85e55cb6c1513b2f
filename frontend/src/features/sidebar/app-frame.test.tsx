import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { closeDialog, useDialogs } from '../../app/state/dialogs';
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

test('Ctrl+K opens the palette for members and guests alike, and takes the focus from the message field', async () => {
  await show();
  const user = userEvent.setup({ delay: null });
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
  await user.click(message);
  await waitFor(async () => {
    await user.keyboard('{Control>}k{/Control}');
    expect(useDialogs.getState().open).toBe('palette');
  });
  await user.keyboard('harbour');
  expect(message.value).toBe('');
  act(closeDialog);
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
