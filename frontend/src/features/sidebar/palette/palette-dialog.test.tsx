import { LIMITS, type SearchResult } from '@tanya/contract';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeThread } from '../../../app/queries/fake-thread';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { sari } from '../../../app/session/fake-user';
import { onCommand } from '../../../app/state/commands';
import { useMessageTarget } from '../../../app/state/message-target';
import { FakeRoute } from '../../../components/layout/fake-route';
import PaletteDialog from './palette-dialog';

// jsdom has no layout.
Element.prototype.scrollIntoView = () => undefined;

const thread = fakeThread(7, { title: 'Ships and harbours', isArchived: true });

const found: SearchResult[] = [
  {
    thread,
    match: { messageId: 70, isUserMessage: false, createdAt: thread.createdAt, line: 'The harbour at night' },
  },
];

async function show(user: typeof sari | null, results: unknown = found) {
  queryClient.clear();
  const requested = serve({
    '/api/session': { user },
    '/api/general-settings': { siteTitle: 'Harbour Help', links: {} },
    '/api/chat/threads': [thread],
    '/api/chat/search': results,
  });
  const closed: true[] = [];
  render(
    <FakeRoute>
      <PaletteDialog onClose={() => closed.push(true)} />
    </FakeRoute>,
  );
  const field = await screen.findByRole('combobox', { name: 'Search chats or type a command' });
  await waitFor(() => expect(queryClient.getQueryData(['user'])).toEqual(user));
  return { field, closed, requested, user: userEvent.setup() };
}

const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const active = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');

describe('the palette', () => {
  it('has the focus in its field, and moves through the lines with the arrows', async () => {
    const { field, user } = await show(sari);
    expect(document.activeElement).toBe(field);
    const first = active(field);
    expect(first?.getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{ArrowDown}');
    expect(active(field)).toBe(first?.nextElementSibling);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active(field)?.textContent).toBe(options().at(-1));
    expect(document.activeElement).toBe(field);
  });

  it('runs a command, after it has closed', async () => {
    const commands: string[] = [];
    const stop = onCommand('toggle-sidebar', () => commands.push('toggle-sidebar'));
    const { closed, user } = await show(null);
    await user.keyboard('show side');
    expect(options()).toHaveLength(1);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(commands).toEqual(['toggle-sidebar']));
    expect(closed).toHaveLength(1);
    stop();
  });

  it('shows the matching lines with their words marked, and opens one at its message', async () => {
    const { user } = await show(sari);
    await user.paste('harb');
    const option = await screen.findByRole('option', { name: /Ships and/ });
    const marks = [...option.querySelectorAll('mark')].map(({ textContent }) => textContent);
    expect(marks).toEqual(['harb', 'harb']);
    expect(within(option).getByText('Archived')).toBeDefined();
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 result'));
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(useMessageTarget.getState().target).toEqual({ threadId: 7, messageId: 70, words: 'harb' }),
    );
  });

  it('says when each chat changed, which tells equal titles apart', async () => {
    const old = fakeThread(8, { title: 'Ships', updatedAt: '2019-03-05T12:00:00.000Z' });
    const lately = fakeThread(9, { title: 'Ships', updatedAt: new Date().toISOString() });
    const { user } = await show(
      sari,
      [lately, old].map((one) => ({ thread: one, match: null })),
    );
    await user.paste('ships');
    const [first, second] = await screen.findAllByRole('option', { name: /Ships/ });
    expect(first?.querySelector('time')?.textContent).toMatch(/\d\d:\d\d/);
    expect(second?.querySelector('time')?.textContent).toMatch(/5.*2019/);
  });

  it.each([
    ['older', /^The newest 50 chats\. More words/],
    [null, /^50 results/],
  ])('says that there are more chats than the server has sent: %s', async (cursor, status) => {
    const many = Array.from({ length: LIMITS.searchResults }, (_, at) => ({ thread: fakeThread(at + 1), match: null }));
    const { user, requested } = await show(sari, many);
    const served = globalThis.fetch;
    const headers = { get: (name: string) => (name === 'X-Next-Cursor' ? cursor : null) };
    globalThis.fetch = async (...request) => ({ ...(await served(...request)), headers }) as Response;
    await user.paste('thread');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(status));
    expect(requested.find((path) => path.startsWith('/api/chat/search'))).toContain('limit=50');
  });

  it('asks the server once the typing pauses, and not for a guest', async () => {
    const member = await show(sari);
    // Typed without an await: the pause cannot end between two letters, however slow the machine is.
    for (const value of ['h', 'ha', 'har', 'harb', 'harbo', 'harbou', 'harbour'])
      fireEvent.change(member.field, { target: { value } });
    await screen.findByRole('option', { name: /Ships/ });
    expect(member.requested.filter((path) => path.startsWith('/api/chat/search'))).toHaveLength(1);
  });

  it('opens no result of the words before', async () => {
    const { user, field } = await show(sari);
    await user.paste('harb');
    await screen.findByRole('option', { name: /Ships/ });
    const other = { thread: fakeThread(8, { title: 'Harp' }), match: { ...found[0]!.match!, messageId: 80 } };
    serve({ '/api/chat/search': [other] });
    fireEvent.change(field, { target: { value: 'harp' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(useMessageTarget.getState().target).toMatchObject({ messageId: 80, words: 'harp' }));
  });

  it('offers a guest commands alone', async () => {
    const { user, requested } = await show(null);
    await user.keyboard('log');
    expect(options()).toEqual(['Login']);
    await user.keyboard('zzz');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Nothing matches.'));
    expect(requested.some((path) => path.startsWith('/api/chat/search'))).toBe(false);
  });

  it('reports a failed search', async () => {
    const { user } = await show(sari, { statusCode: 429, code: 'rate_limited', message: 'Too many searches.' });
    await user.keyboard('harbour');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/too many/i));
  });
});
