import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Message, MessagePart, ToolPart } from '@tanya/contract';
import { aiMessage } from '../../client/chat-fixtures';
import { api } from '../../../../app/api/api-client';
import { setTitle } from '../../../../app/browser/page-title';
import { AnswerParts } from './answer-parts';
import { FakeTheme } from '../../../../components/layout/fake-theme';

// Chunks of their own, whose load would take part of the time of a query.
beforeAll(async () => {
  await import('../../../markdown/rendered-markdown');
  await import('./tool-call');
  await import('./source-list');
});

const call: ToolPart = {
  type: 'tool',
  callId: 'a',
  tool: 'search',
  title: 'Web search',
  args: { query: '<b>harbour</b>' },
  state: 'done',
  result: '<img src=x onerror=alert(1)>',
  ms: 1_234,
};

async function show(parts: MessagePart[], change: Partial<Message> = {}): Promise<void> {
  render(
    <FakeTheme>
      <QueryClientProvider client={new QueryClient()}>
        <AnswerParts message={aiMessage(2, 1, { parts, ...change })} scope="m2" />
      </QueryClientProvider>
    </FakeTheme>,
  );
  await linesAppear(parts.filter(({ type }) => type === 'tool').length);
}

const linesAppear = (count: number) =>
  waitFor(() => expect(document.querySelectorAll('[data-tool-state]')).toHaveLength(count));

test('shows each call as a line that opens to arguments and result as text', async () => {
  await show([
    call,
    { ...call, callId: 'b', state: 'failed', result: undefined, error: 'No such page.', title: 'Read page' },
  ]);
  const summary = screen.getByText('Web search').closest('summary')!;
  expect(summary.textContent).toBe('Web searchDone · 1.2 s');
  expect(screen.queryByLabelText('Result')).toBeNull();
  await userEvent.click(summary);
  expect(screen.getByLabelText('Arguments').textContent).toBe('{\n  "query": "<b>harbour</b>"\n}');
  expect(screen.getByLabelText('Result').textContent).toBe('<img src=x onerror=alert(1)>');
  expect(document.querySelector('img')).toBeNull();
  await userEvent.click(screen.getByText('Read page'));
  expect(screen.getByLabelText('Error').textContent).toBe('No such page.');
});

test('a search and a read page say what was looked for, and how much was found', async () => {
  const search = { ...call, tool: 'web_search', args: { query: 'weather Jakarta' } };
  const result = '[1] One\nhttps://a.example\n\n[2] Two\nhttps://b.example\nabout [3] things';
  await show([
    { ...search, result },
    { ...search, callId: 'b', state: 'running', result: undefined },
    { ...search, callId: 'c', state: 'failed', result: undefined },
    { ...call, callId: 'd', tool: 'read_page', title: 'Read page', args: { url: 'https://www.example.org/a' } },
    { ...call, callId: 'e', tool: 'read_page', title: 'Read page', args: null },
  ]);
  expect([...document.querySelectorAll('summary')].map(({ textContent }) => textContent)).toEqual([
    'Searched for “weather Jakarta”· 2 pages',
    'Searching for “weather Jakarta”Running · 1.2 s',
    'Searching for “weather Jakarta”Failed · 1.2 s',
    'Read example.org',
    'Read pageDone · 1.2 s',
  ]);
});

test('cites sources as links and lists them with title and host', async () => {
  await show([
    { type: 'source', index: 1, url: 'https://www.example.org/one', title: 'One "quoted"', snippet: 'the first' },
    { type: 'source', index: 2, url: 'javascript:alert(1)', title: 'Two' },
    { type: 'text', text: 'Both agree [1][2], but `a[1]` and [3] do not.' },
  ]);
  const citation = await screen.findByRole('link', { name: "One 'quoted' — example.org" });
  expect(citation.getAttribute('href')).toBe('https://www.example.org/one');
  expect(citation.textContent).toBe('1');
  expect(screen.getByText('a[1]').tagName).toBe('CODE');
  const list = await screen.findByRole('region', { name: 'Sources' });
  expect(list.textContent).toBe('Sources1One "quoted"example.org2Two');
  expect([...list.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    'https://www.example.org/one',
  ]);
});

test('opens the document of a cited passage at the passage', async () => {
  const url = '/projects/4/files/f1?section=6';
  await show([
    {
      type: 'source',
      index: 2,
      url,
      title: 'guide.pdf',
      fileId: 'f1',
      section: 6,
      label: 'page 7',
      quote: 'A berth\ncosts "five".',
    },
    { type: 'text', text: 'Five euros [2].' },
  ]);
  const citation = await screen.findByRole('link', { name: 'guide.pdf — page 7' });
  const address = `${url}&quote=A%20berth%0Acosts%20%22five%22.`;
  expect(citation.getAttribute('href')).toBe(address);
  const list = await screen.findByRole('region', { name: 'Sources' });
  expect(list.querySelector('a')!.getAttribute('href')).toBe(address);
});

test('opens the cited source where the answer gives its number another address', async () => {
  await show([
    { type: 'source', index: 1, url: 'https://www.example.org/one', title: 'One' },
    { type: 'text', text: 'Five euros [1] or [so][x].\n\n[1]: guide.pdf\n[x]: https://example.com/x' },
  ]);
  const citation = await screen.findByRole('link', { name: 'One — example.org' });
  expect(citation.getAttribute('href')).toBe('https://www.example.org/one');
  expect(screen.getByRole('link', { name: /so/ }).getAttribute('href')).toBe('https://example.com/x');
});

test('announces a running tool once, and shows nothing for a part of an unknown type', async () => {
  const hologram = { type: 'hologram' } as unknown as MessagePart;
  await show([hologram, { ...call, state: 'running', result: undefined, ms: undefined }], { status: 'streaming' });
  expect(screen.getByRole('status').textContent).toBe('Using Web search');
  expect(screen.getByText('Running')).toBeTruthy();
  expect(screen.queryByTestId('thinking')).toBeNull();
});

test('shows that the model goes on after the last result', async () => {
  await show([call], { status: 'streaming' });
  expect(screen.getByTestId('thinking')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('');
});

test('shows the arguments of a call that waits, and sends the decision once', async () => {
  const post = jest.spyOn(api, 'post').mockResolvedValue({ status: 'waiting' });
  const asking: ToolPart = { ...call, state: 'waiting', result: undefined, ms: undefined };
  await show([asking, { ...asking, callId: 'b', title: 'Read page' }], { status: 'waiting', generationId: 'g' });
  expect(screen.getAllByLabelText('Arguments').map(({ textContent }) => textContent)).toEqual(
    Array(2).fill('{\n  "query": "<b>harbour</b>"\n}'),
  );
  expect(screen.getByRole('status').textContent).toBe('Web search needs your approval, Read page needs your approval');
  expect(screen.queryByTestId('thinking')).toBeNull();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Allow Web search' }));
  expect(await screen.findByText('Allowed')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Deny Read page' }));
  expect(await screen.findByText('Denied')).toBeTruthy();
  expect(post.mock.calls).toEqual([
    ['/api/chat/generations/g/approve', { callId: 'a', allow: true }],
    ['/api/chat/generations/g/approve', { callId: 'b', allow: false }],
  ]);
});

test('shows a decision of another tab, and keeps the focus at a call that was decided here', async () => {
  jest.spyOn(api, 'post').mockResolvedValue({ status: 'waiting' });
  const asking: ToolPart = { ...call, state: 'waiting', result: undefined, ms: undefined };
  const parts = (...changes: Partial<ToolPart>[]) =>
    aiMessage(2, 1, {
      status: 'waiting',
      generationId: 'g',
      parts: changes.map((change, index) => ({ ...asking, callId: `${index}`, title: `Call ${index}`, ...change })),
    });
  setTitle('Harbour');
  const page = (message: Message) => (
    <FakeTheme>
      <QueryClientProvider client={new QueryClient()}>
        <AnswerParts message={message} scope="m2" />
      </QueryClientProvider>
    </FakeTheme>
  );
  const { rerender } = render(page(parts({}, {}, {})));
  await linesAppear(3);
  expect(document.title).toBe('● Harbour');
  rerender(page(parts({ approved: true }, { state: 'denied' }, {})));
  expect(screen.getByText('Call 0').closest('summary')?.textContent).toBe('Call 0Allowed');
  expect(screen.getByText('Call 1').closest('summary')?.textContent).toBe('Call 1Denied');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Allow', 'Deny']);
  await userEvent.click(screen.getByRole('button', { name: 'Allow Call 2' }));
  rerender(page(parts({ approved: true }, { state: 'denied' }, { approved: true })));
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(screen.getByText('Call 2').closest('summary'));
  expect(document.title).toBe('Harbour');
});

test('shows no buttons for a call of a final answer', async () => {
  await show([{ ...call, state: 'waiting' }], { status: 'interrupted' });
  expect(screen.queryByRole('button')).toBeNull();
});
