import { jest } from '@jest/globals';
import type { ImportedConversation, ImportStatus, OwnShare } from '@tanya/contract';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { holdRequests, serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { FakePage } from '../../../components/layout/fake-page';
import { ExportEverything } from './export-everything';
import { ImportChats } from './import-chats';
import { SharedLinks } from './shared-links';

function show(children: ReactNode, answers: Record<string, unknown>) {
  queryClient.clear();
  const requested = serve(answers);
  render(<FakePage>{children}</FakePage>);
  return requested;
}

const share = (token: string, expiresAt: string | null): OwnShare => ({
  token,
  url: `https://chat.example/share/${token}`,
  title: `Chat ${token}`,
  messageCount: 4,
  createdAt: '2026-11-20T05:00:00.000Z',
  expiresAt,
});

describe('the export of everything', () => {
  it('is asked for without a password by a person who has none and has just signed in', async () => {
    const code = 'reauthentication_required';
    show(<ExportEverything />, {
      '/api/user/exports': [],
      '/api/user/export': { statusCode: 403, code, message: 'Please sign in again.' },
      '/api/auth/providers': [{ id: 3, label: 'Company' }],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Export as ZIP' }));
    const start = screen.getByRole('button', { name: 'Start export' });
    await userEvent.click(start);
    expect(await screen.findByText('Please sign in again.')).toBeDefined();
    const link = await screen.findByRole('link', { name: 'Sign in again with Company' });
    expect(link.getAttribute('href')).toContain('reauth=true');
    serve({ '/api/user/exports': [], '/api/user/export': { id: 'a' } });
    await userEvent.click(start);
    expect(await screen.findByRole('button', { name: 'Export as ZIP' })).toBeDefined();
  });
});

describe('the list of shared links', () => {
  it('shows each link with its expiry, and revokes one', async () => {
    const requested = show(<SharedLinks />, {
      '/api/user/shares': [share('a', null), share('b', '2026-12-01T05:00:00.000Z')],
      '/api/user/shares/a': undefined,
    });
    const list = within(await screen.findByRole('list', { name: 'Shared links' }));
    expect(list.getByRole('link', { name: 'Open the link of Chat a' }).getAttribute('href')).toMatch(/share\/a$/);
    expect(list.getAllByRole('listitem')[1]!.textContent).toMatch(/4 messages · .+ · until /);
    await userEvent.click(list.getByRole('button', { name: 'Revoke the link of Chat a' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(requested).toContain('/api/user/shares/a');
  });

  it('is read again at each visit', async () => {
    show(<SharedLinks />, { '/api/user/shares': [share('a', null)] });
    await screen.findByRole('link', { name: 'Open the link of Chat a' });
    cleanup();
    serve({ '/api/user/shares': [] });
    render(
      <FakePage>
        <SharedLinks />
      </FakePage>,
    );
    expect(await screen.findByText('You have not shared a chat.')).toBeDefined();
  });

  it('says that no conversation is shared, and offers to try again after a failure', async () => {
    show(<SharedLinks />, { '/api/user/shares': { statusCode: 403, code: 'forbidden', message: 'x' } });
    const retry = await screen.findByRole('button', { name: 'Try Again' });
    serve({ '/api/user/shares': [] });
    await userEvent.click(retry);
    expect(await screen.findByText('You have not shared a chat.')).toBeDefined();
  });
});

const status = (more: Partial<ImportStatus>): ImportStatus => ({
  id: 'one',
  state: 'done',
  source: 'chatgpt',
  total: 4,
  imported: 2,
  skipped: 1,
  failures: [],
  progress: 1,
  error: null,
  errorRemark: null,
  createdAt: '2026-11-20T05:00:00.000Z',
  endedAt: '2026-11-20T05:01:00.000Z',
  ...more,
});

const rows: ImportedConversation[] = [
  { title: 'Harbours', outcome: 'imported', reason: null, remark: null, threadId: 7 },
  {
    title: '',
    outcome: 'failed',
    reason: 'The conversation is too large.',
    remark: { code: 'conversation_too_large' },
    threadId: null,
  },
];

describe('imports', () => {
  it('show their results, report and undo', async () => {
    const requested = show(<ImportChats />, {
      '/api/user/import': [status({})],
      '/api/user/import/one/conversations': rows,
      '/api/user/import/one': undefined,
    });
    expect(await screen.findByText('2 imported, 1 already there, 1 not imported')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show the chats' }));
    const thread = await screen.findByRole('link', { name: 'Harbours' });
    expect(thread.getAttribute('href')).toBe('/chat/7');
    expect(screen.getByText('Not imported: The conversation is too large.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete chats' }));
    await waitFor(() => expect(screen.queryByText(/2 imported/)).toBeNull());
    expect(requested).toContain('/api/user/import/one');
  });

  it('are read again at each visit', async () => {
    show(<ImportChats />, { '/api/user/import': [] });
    await screen.findByRole('button', { name: 'Choose a file' });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    cleanup();
    serve({ '/api/user/import': [status({})] });
    render(
      <FakePage>
        <ImportChats />
      </FakePage>,
    );
    expect(await screen.findByText('2 imported, 1 already there, 1 not imported')).toBeDefined();
  });

  it('open a conversation of the report without a reload', async () => {
    show(<ImportChats />, { '/api/user/import': [status({})], '/api/user/import/one/conversations': rows });
    await userEvent.click(await screen.findByRole('button', { name: 'Show the chats' }));
    const isLeftToBrowser = fireEvent.click(await screen.findByRole('link', { name: 'Harbours' }));
    expect(isLeftToBrowser).toBe(false);
  });

  it('keep the focus in the report while more of it is loaded and at its end', async () => {
    show(<ImportChats />, { '/api/user/import': [status({})], '/api/user/import/one/conversations': rows });
    const server = globalThis.fetch;
    let load: () => void = () => undefined;
    const loaded = new Promise<void>((resolve) => (load = resolve));
    globalThis.fetch = async (address, init) => {
      if ((address as string).endsWith('?before=next')) await loaded;
      const response = await server(address, init);
      if ((address as string).endsWith('/conversations')) response.headers.get = () => 'next';
      return response;
    };
    await userEvent.click(await screen.findByRole('button', { name: 'Show the chats' }));
    const more = await screen.findByRole('button', { name: 'Show more' });
    await userEvent.click(more);
    await waitFor(() => expect(more.getAttribute('aria-busy')).toBe('true'));
    expect(document.activeElement).toBe(more);
    load();
    await waitFor(() => expect(more.isConnected).toBe(false));
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Show the chats' }));
  });

  it('show the progress of a running one, and allow no second', async () => {
    show(<ImportChats />, { '/api/user/import': [status({ state: 'running', total: 1, progress: 0.25 })] });
    expect(await screen.findByText('Importing… 1 chat so far')).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(screen.getByRole('button', { name: 'Choose a file' }).getAttribute('aria-disabled')).toBe('true');
    serve({ '/api/user/import': [status({ state: 'failed', error: 'The file is damaged.' })] });
    expect(await screen.findByText('The file is damaged.')).toBeDefined();
  });

  it('are listed when their upload ends during the first read of the list', async () => {
    const send = jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
      const answer = { status: 202, responseText: JSON.stringify({ id: 'one' }) };
      for (const [key, value] of Object.entries(answer)) Object.defineProperty(this, key, { value });
      this.onload?.(new ProgressEvent('load'));
    });
    queryClient.clear();
    serve({ '/api/user/import': [] });
    const firstRead = holdRequests();
    render(
      <FakePage>
        <ImportChats />
      </FakePage>,
    );
    const running = status({ state: 'running', total: 1 });
    serve({ '/api/user/import': [running], '/api/user/import/one': running });
    const file = new File(['[]'], 'export.json', { type: 'application/json' });
    await userEvent.upload(screen.getByLabelText('Choose a file', { selector: 'input' }), file);
    firstRead.release();
    expect(await screen.findByText('Importing… 1 chat so far')).toBeDefined();
    send.mockRestore();
  });

  it('continue their upload while the dialog is closed, and end it on Cancel', async () => {
    const started: XMLHttpRequest[] = [];
    const send = jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
      started.push(this);
    });
    const answers = { '/api/user/import': [] };
    show(<ImportChats />, answers);
    const file = new File(['[]'], 'export.json', { type: 'application/json' });
    const field = await screen.findByLabelText<HTMLInputElement>('Choose a file', { selector: 'input' });
    await userEvent.upload(field, file);
    await screen.findByRole('button', { name: 'Cancel' });
    cleanup();
    render(
      <FakePage>
        <ImportChats />
      </FakePage>,
    );
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    const abort = jest.spyOn(started[0]!, 'abort').mockImplementation(function (this: XMLHttpRequest) {
      this.onabort?.(new ProgressEvent('abort'));
    });
    await userEvent.click(cancel);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull());
    expect([started.length, abort.mock.calls.length]).toEqual([1, 1]);
    send.mockRestore();
  });
});
