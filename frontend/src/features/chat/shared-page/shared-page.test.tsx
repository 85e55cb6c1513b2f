import type { SharedConversation, SharedMessage } from '@tanya/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { FakePage } from '../../../components/layout/fake-page';
import { SharedPage } from './shared-page';
import { sharedQuery } from './shared.query';

const message = (content: string, more: Partial<SharedMessage> = {}): SharedMessage => ({
  content,
  isUserMessage: false,
  createdAt: '2026-11-22T05:00:00.000Z',
  status: 'complete',
  modelId: 'a/b',
  reasoning: null,
  notice: null,
  error: null,
  ...more,
});

const conversation: SharedConversation = {
  title: '<img src=x onerror=alert(1)> Harbours',
  createdAt: '2026-11-22T05:00:00.000Z',
  messages: [
    message(JSON.stringify({ text: 'What is a harbour?', imageData: '/api/share/tok/files/1' }), {
      isUserMessage: true,
    }),
    message('A **place** for ships. [bad](javascript:alert(1)) <script>alert(1)</script>', { reasoning: 'Hm.' }),
    message('More?', { isUserMessage: true }),
    message('Ships [1].', {
      parts: [
        { type: 'tool', callId: 'call00001', tool: 'web_search', title: 'Web search', args: {}, state: 'done' },
        { type: 'source', index: 1, url: 'https://example.org/ships', title: 'On ships' },
        { type: 'image', url: '/api/share/tok/files/2', alt: 'a ship' },
        { type: 'text', text: 'Ships [1].' },
      ],
    }),
    message('And?', { isUserMessage: true }),
    message('Ships are', { status: 'interrupted' }),
    message('', { status: 'error', error: { code: 'provider_busy', message: 'The model is busy.', retryable: true } }),
  ],
};

function show(answers: Record<string, unknown>, token = 'tok') {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  const requested = serve({ '/api/general-settings': { siteTitle: 'Toko Kita' }, ...answers });
  render(
    <FakePage>
      <SharedPage token={token} />
    </FakePage>,
  );
  return requested;
}

// Two chunks that share a module. Jest fails to load it for both at once.
beforeAll(async () => {
  await import('../messages/parts/tool-call');
  await import('../messages/parts/source-list');
});

describe('the page of a share link', () => {
  it('offers a guest the login and everyone the theme, and copies each message with a text', async () => {
    show({ '/api/share/tok': conversation });
    const link = await screen.findByRole('link', { name: 'Login' });
    expect(link.getAttribute('href')).toBe('/?login');
    expect(screen.getByRole('button', { name: /^Theme/ })).toBeDefined();
    await screen.findByRole('heading', { level: 1 });
    expect(screen.getAllByRole('button', { name: 'Copy message' })).toHaveLength(6);
  });

  it('shows the messages with files and states, and no actions that change them', async () => {
    show({ '/api/share/tok': conversation });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(conversation.title);
    const rows = screen.getAllByRole('article');
    expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
      'Shared by user',
      'AI message',
      'Shared by user',
      'AI message',
      'Shared by user',
      'AI message',
      'AI message',
    ]);
    expect(within(rows[0]!).getByRole('img').getAttribute('src')).toBe('/api/share/tok/files/1');
    expect(await within(rows[1]!).findByText('place')).toBeDefined();
    expect(within(rows[3]!).getByText('Web search')).toBeDefined();
    expect((await within(rows[3]!).findByRole('region', { name: 'Sources' })).textContent).toContain('On ships');
    expect(within(rows[3]!).getByRole('img').getAttribute('src')).toBe('/api/share/tok/files/2');
    expect(within(rows[5]!).getByText('This answer is incomplete.')).toBeDefined();
    expect(within(rows[6]!).getByText('The model is busy.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Regenerate|Edit|Retry/ })).toBeNull();
    expect(document.querySelector('script, [href^="javascript"]')).toBeNull();
  });

  it('takes over the read that began before the app', async () => {
    window.firstShared = Promise.resolve({ ok: true, text: async () => JSON.stringify(conversation) } as Response);
    const requested = show({});
    expect(await screen.findByRole('heading', { level: 1, name: /Harbours/ })).toBeDefined();
    expect(requested).not.toContain('/api/share/tok');
  });

  it('does not repeat a read that was refused before the app started', async () => {
    const body = { statusCode: 404, code: 'not_found', message: 'This does not exist.' };
    window.firstShared = Promise.resolve({
      ok: false,
      status: 404,
      text: async () => JSON.stringify(body),
    } as Response);
    queryClient.clear();
    const requested = serve({ '/api/general-settings': {}, '/api/share/tok': conversation });
    await queryClient.prefetchQuery(sharedQuery('tok'));
    render(
      <FakePage>
        <SharedPage token="tok" />
      </FakePage>,
    );
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeDefined();
    expect(requested).not.toContain('/api/share/tok');
  });

  it('reads the conversation itself when the early read failed', async () => {
    window.firstShared = Promise.resolve(null);
    show({ '/api/share/tok': conversation });
    expect(await screen.findByRole('heading', { level: 1, name: /Harbours/ })).toBeDefined();
  });

  it('says that a link does not work, and offers a new chat', async () => {
    show({});
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Start a chat of your own' }).getAttribute('href')).toBe('/');
  });

  it('offers to try again after another failure', async () => {
    const limited = { statusCode: 429, code: 'rate_limited', message: 'Too many requests.', retryable: true };
    show({ '/api/share/tok': limited });
    expect(await screen.findByText('Too many requests.')).toBeDefined();
    serve({ '/api/share/tok': conversation });
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { level: 1, name: /Harbours/ })).toBeDefined();
  });

  it('shows why the conversation could not be continued', async () => {
    const full = { statusCode: 413, code: 'too_large', message: 'Your files fill the 50 MB.' };
    const requested = show({ '/api/share/tok': conversation, '/api/share/tok/continue': full });
    await userEvent.click(await screen.findByRole('button', { name: 'Continue as my own chat' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Your files fill the 50 MB.');
    expect(requested).toContain('/api/share/tok/continue');
  });

  it('copies nothing while it does not know whose chat it would be', async () => {
    const away = { statusCode: 503, code: 'storage_unavailable', message: 'The database is away.' };
    const requested = show({ '/api/share/tok': conversation, '/api/session': away });
    queryClient.removeQueries({ queryKey: currentUserQuery.queryKey });
    await userEvent.click(await screen.findByRole('button', { name: 'Continue as my own chat' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The database is away.');
    expect(requested).not.toContain('/api/share/tok/continue');
  });
});
