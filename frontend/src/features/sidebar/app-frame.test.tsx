import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  useLocation,
  useSearch,
} from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { serve } from '../../app/api/fake-server';
import { showLanguage } from '../../app/i18n/load-texts';
import { queryClient } from '../../app/queries/query-client';
import { closeDialog, useDialogs } from '../../app/state/dialogs';
import { onConversationBegun, useChatPageKey } from '../../app/state/conversation';
import { useSidebar } from '../../app/state/sidebar';
import { sari } from '../../app/session/fake-user';
import { FakePage } from '../../components/layout/fake-page';
import { AppFrame } from './app-frame';
import { useNewChat } from './use-new-chat';

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
  await waitFor(() => expect(document.querySelector('section')).not.toBeNull());
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

test.each(['/', '/?project=12', '/chat/7'])(
  'New chat at %s begins its conversation in the page that stays',
  async (path) => {
    let shown = '';
    const ofNewChat: string[] = [];
    function NewChat() {
      const { project }: { project?: number } = useSearch({ strict: false });
      const threadId = useLocation().pathname === '/' ? null : 7;
      const key = useChatPageKey(threadId, project);
      useEffect(() => {
        shown = `${threadId} ${project}`;
        if (isBegun) ofNewChat.push(key);
      }, [key, threadId, project]);
      return <button onClick={useNewChat()}>New chat</button>;
    }
    const root = createRootRoute({ component: NewChat, notFoundComponent: () => null });
    const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: [path] }) });
    let isBegun = false;
    const stop = onConversationBegun(() => (isBegun = true));
    render(<RouterProvider router={router as never} />);
    await userEvent.setup().click(await screen.findByRole('button', { name: 'New chat' }));
    await waitFor(() => expect(ofNewChat).not.toEqual([]));
    await waitFor(() => expect(shown).toBe('null undefined'));
    stop();
    expect(ofNewChat).toHaveLength(1);
  },
);

test('New chat begins nothing where a form kept its page', async () => {
  const NewChat = () => <button onClick={useNewChat()}>New chat</button>;
  const root = createRootRoute({ component: NewChat, notFoundComponent: () => null });
  const history = createMemoryHistory({ initialEntries: ['/admin/settings'] });
  const router = createRouter({ routeTree: root, history });
  const begun: string[] = [];
  const stop = onConversationBegun(() => begun.push(router.state.location.pathname));
  render(<RouterProvider router={router as never} />);
  const user = userEvent.setup();
  const free = history.block({ blockerFn: () => true });
  await user.click(await screen.findByRole('button', { name: 'New chat' }));
  free();
  await act(() => router.navigate({ to: '/chat/7' as never }));
  await user.click(screen.getByRole('button', { name: 'New chat' }));
  await waitFor(() => expect(begun).not.toEqual([]));
  stop();
  expect(begun).toEqual(['/']);
});

test.each([
  ['spec', 'Hide sidebar', 'Show sidebar'],
  ['id', 'Sembunyikan bilah sisi', 'Tampilkan bilah sisi'],
] as const)('the button that hides the sidebar passes the focus to the one that shows it, in %s', async (...names) => {
  const [language, hide, reveal] = names;
  await showLanguage(language);
  await show();
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole('button', { name: hide }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: reveal })));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: hide })));
  await showLanguage('spec');
});
