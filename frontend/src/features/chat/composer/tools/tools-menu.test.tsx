import { FALLBACK_MODEL } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../../app/api/fake-server';
import { queryClient } from '../../../../app/queries/query-client';
import { recordThread } from '../../client/conversation-thread-store';
import { choicesOf } from '../../shared/chosen-tools';
import ToolsMenu from './tools-menu';
import { FakePage } from '../../../../components/layout/fake-page';

const tool = (name: string, server: { id: number; name: string } | null = null) => ({
  name,
  title: `Title of ${name}`,
  description: `Description of ${name}`,
  server,
  policy: server === null ? 'allow' : 'ask',
});

const TOOLS = [tool('calculate'), tool('current_time'), tool('library_lookup', { id: 1, name: 'Library' })];
const model = { ...FALLBACK_MODEL, supportsTools: true };

let patches: unknown[] = [];

function serveThread(answers: Record<string, unknown>) {
  serve({ '/api/tools': TOOLS, ...answers });
  patches = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'PATCH') patches.push(JSON.parse(init.body as string));
    return server(address, init);
  };
}

async function show(conversation: string, threadId: number | null, projectId?: number) {
  queryClient.clear();
  render(
    <FakePage>
      <ToolsMenu conversation={conversation} threadId={threadId} projectId={projectId} place={<i>place</i>} />
    </FakePage>,
  );
  return userEvent.setup({ delay: null });
}

const button = (name: RegExp | string) => screen.findByRole('button', { name });
const item = (name: RegExp) => screen.findByRole('menuitemcheckbox', { name });

it('is absent where the user may use no tools', async () => {
  serve({ '/api/tools': [] });
  await show('draft-none', null);
  await waitFor(() => expect(queryClient.getQueryData(['tools'])).toEqual([]));
  expect(screen.queryByRole('button')).toBeNull();
});

it('switches on the harmless tools of a conversation that began before the list of tools had loaded', async () => {
  const thread = { id: 31, title: 'A chat', tools: [] as string[] };
  serveThread({ '/api/chat/threads/31': thread });
  expect(choicesOf('draft-early', model).tools).toBeUndefined();
  recordThread('draft-early', 31);
  await show('31', 31);
  await waitFor(() => expect(patches).toEqual([{ tools: ['current_time', 'calculate'] }]));
});

it('switches the tools of a new conversation, by keyboard too', async () => {
  serveThread({});
  const user = await show('draft-new', null);
  (await button('Tools')).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('The assistant may use')).toBeDefined();
  expect((await item(/^Calculator/)).getAttribute('aria-checked')).toBe('true');
  expect(choicesOf('draft-new', model).tools).toEqual(['current_time', 'calculate']);
  await user.click(await item(/^Calculator/));
  await waitFor(() => expect(choicesOf('draft-new', model).tools).toEqual(['current_time']));
  await user.click(await item(/Title of library_lookup/));
  await button('1 tool is on');
  expect(choicesOf('draft-new', model).tools).toEqual(['current_time', 'library_lookup']);
  expect(patches).toEqual([]);
});

it('groups the tools of servers under their names and marks those that ask', async () => {
  serveThread({});
  const user = await show('draft-asks', null);
  await user.click(await button('Tools'));
  const library = await screen.findByRole('group', { name: 'Library' });
  const asking = within(library).getByRole('menuitemcheckbox', { name: /library_lookup/ });
  expect(asking.textContent).toMatch(/Asks first.*Description/);
  const builtIn = within(screen.getByRole('group', { name: 'Built-in tools' }));
  expect(builtIn.getAllByRole('menuitemcheckbox')).toHaveLength(2);
  // One tool needs no switch for all.
  expect(within(library).getAllByRole('menuitemcheckbox')).toHaveLength(1);
});

it('switches all tools of a server', async () => {
  const docs = { id: 2, name: 'Docs' };
  serveThread({ '/api/tools': [tool('calculate'), tool('docs_a', docs), tool('docs_b', docs)] });
  const user = await show('draft-all', null);
  await user.click(await button('Tools'));
  await user.click(await item(/Title of docs_a/));
  const all = await item(/^All 2 tools$/);
  expect(all.getAttribute('aria-checked')).toBe('false');
  await user.click(all);
  await button('2 tools are on');
  expect(choicesOf('draft-all', model).tools).toEqual(['calculate', 'docs_a', 'docs_b']);
  expect(all.getAttribute('aria-checked')).toBe('true');
  await user.click(all);
  await waitFor(() => expect(choicesOf('draft-all', model).tools).toEqual(['calculate']));
});

it('refuses a choice of more tools than a send may offer', async () => {
  const large = { id: 3, name: 'Large' };
  const many = Array.from({ length: 64 }, (_, index) => tool(`large_${index}`, large));
  serveThread({ '/api/tools': [tool('calculate'), ...many] });
  const user = await show('draft-many', null);
  await user.click(await button('Tools'));
  await user.click(await item(/^All 64 tools$/));
  expect(choicesOf('draft-many', model).tools).toEqual(['calculate']);
});

it('stores the tools of a thread on the server', async () => {
  serveThread({ '/api/chat/threads/7': { id: 7, tools: ['current_time', 'no-longer-there'] } });
  const user = await show('7', 7);
  await waitFor(() => expect(choicesOf('7', model).tools).toEqual(['current_time']));
  await user.click(await button('Tools'));
  await user.click(await item(/^Calculator/));
  await waitFor(() => expect(patches).toEqual([{ tools: ['current_time', 'calculate'] }]));
});

it('reverts a choice that was not saved', async () => {
  const answers: Record<string, unknown> = { '/api/chat/threads/8': { id: 8, tools: ['current_time'] } };
  serveThread(answers);
  const user = await show('8', 8);
  await waitFor(() => expect(choicesOf('8', model).tools).toEqual(['current_time']));
  await user.click(await button('Tools'));
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) =>
    init?.method === 'PATCH' ? Promise.reject(new TypeError('no network')) : server(address, init);
  await user.click(await item(/^Calculator/));
  await waitFor(() => expect(choicesOf('8', model).tools).toEqual(['current_time']));
});

it('switches the web search with a button of its own, where one is set up', async () => {
  serveThread({ '/api/tools': [tool('calculate'), tool('web_search'), tool('read_page')] });
  const user = await show('draft-search', null);
  const search = await button('Web search');
  expect(search.getAttribute('aria-pressed')).toBe('false');
  await user.click(search);
  await waitFor(() => expect(choicesOf('draft-search', model).tools).toEqual(['calculate', 'web_search', 'read_page']));
  expect(search.getAttribute('aria-pressed')).toBe('true');
  await user.click(search);
  await waitFor(() => expect(choicesOf('draft-search', model).tools).toEqual(['calculate']));
});

it('offers no web search where none is set up', async () => {
  serveThread({});
  await show('draft-alone', null);
  await button('Tools');
  expect(screen.queryByRole('button', { name: 'Web search' })).toBeNull();
});

it('starts each new conversation with the harmless tools, and a thread without a choice with none', async () => {
  serveThread({ '/api/chat/threads/9': { id: 9, tools: [] } });
  await show('draft-first', null);
  await waitFor(() => expect(choicesOf('draft-first', model).tools).toEqual(['current_time', 'calculate']));
  await show('9', 9);
  await waitFor(() => expect(queryClient.getQueryData(['tools'])).toBeDefined());
  expect(choicesOf('9', model).tools).toEqual([]);
});

it('starts a new chat of a project with the tools of the project, of which all can be switched off', async () => {
  serveThread({ '/api/projects/4': { id: 4, tools: ['calculate'] } });
  const user = await show('draft-project', null, 4);
  await waitFor(() => expect(choicesOf('draft-project', model).tools).toEqual(['calculate']));
  await user.click(await button('Tools'));
  await user.click(await item(/^Calculator/));
  // An omitted list would stand for the tools of the project.
  await waitFor(() => expect(choicesOf('draft-project', model).tools).toEqual([]));
});

it('offers no tools to a model that cannot call them', async () => {
  expect(choicesOf('draft-new', { ...model, supportsTools: false }).tools).toBeUndefined();
  expect(choicesOf('unknown', model).tools).toBeUndefined();
});
